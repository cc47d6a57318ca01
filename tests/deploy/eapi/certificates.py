"""Certificates for servers on loopback: a folder in; an authority and what it signed out."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Authority:
    name: x509.Name
    key: ec.EllipticCurvePrivateKey
    file: Path

    @classmethod
    def make(cls, folder: Path, name: str) -> Authority:
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        authority = cls(subject, ec.generate_private_key(ec.SECP256R1()), folder / f"{name}.pem")
        basics = x509.BasicConstraints(ca=True, path_length=0)
        usage = x509.KeyUsage(
            **dict.fromkeys(
                (
                    "digital_signature",
                    "content_commitment",
                    "key_encipherment",
                    "data_encipherment",
                    "key_agreement",
                    "crl_sign",
                    "encipher_only",
                    "decipher_only",
                ),
                False,
            ),
            key_cert_sign=True,
        )
        made = authority._builder(subject, authority.key).add_extension(basics, critical=True)
        signed = made.add_extension(usage, critical=True).sign(authority.key, hashes.SHA256())
        authority.file.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
        return authority

    def server(self, folder: Path, address: str = "127.0.0.1") -> Path:
        """Return a PEM file: key and certificate of a server at an address."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, address)])
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
        signed = self._builder(subject, key).add_extension(names, critical=False)
        made = signed.sign(self.key, hashes.SHA256())
        return _written(folder / f"{self.file.stem}-{address}.pem", key, made)

    def _builder(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey
    ) -> x509.CertificateBuilder:
        now = dt.datetime.now(dt.UTC)
        day = dt.timedelta(days=1)
        own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - day)
            .not_valid_after(now + day)
            .add_extension(own, critical=False)
            .add_extension(issuer, critical=False)
        )


def self_signed(folder: Path) -> Path:
    """Return a PEM file as EOS makes it for itself: signed by itself, and for no address."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "self.signed")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    return _written(folder / "self.pem", key, made)


def _written(file: Path, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> Path:
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
    return file
