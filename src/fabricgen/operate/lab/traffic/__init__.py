"""What real packets prove: measurements of a running lab in, one verdict each out."""
