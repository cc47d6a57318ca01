"""Who reaches whom: answered from the model, and again by what the written files would do."""
