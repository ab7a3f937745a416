"""Which hosts and addresses may be connected to."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import AccessDenied
from jupyter_ac.web.host_rules import HostRules

_PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "0.0.0.0", "100.64.0.1", "224.0.0.1"),
    *("255.255.255.255", "240.0.0.1", "::", "::1", "fc00::1", "fec0::1", "ff02::1"),
    *("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1"),
    *("64:ff9b:1::808:808", "64:ff9b:1::a00:1"),
]
_METADATA = [
    "169.254.169.254",
    "fe80::1",
    "fd00:ec2::254",
    "100.100.100.200",
    "::ffff:169.254.169.254",
    "64:ff9b:1::a9fe:a9fe",
]
_PUBLIC = ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
_LITERALS = ["10.0.0.1", "[::1]", "127.0.0.1", "169.254.169.254", "[fe80::1%eth0]"]


def refused(rules: HostRules, host: str, address: str) -> str:
    try:
        rules.check_host(host)
        rules.check_address(host, ip_address(address))
    except AccessDenied as error:
        return str(error)
    return ""


@pytest.mark.parametrize("address", _PUBLIC)
def test_public_addresses(address: str) -> None:
    assert refused(HostRules(), "a.org", address) == ""


@pytest.mark.parametrize("address", _PRIVATE)
def test_private_addresses(address: str) -> None:
    assert "allowed_hosts" in refused(HostRules(), "a.org", address)
    assert refused(HostRules(allowed=["intra.example"]), "intra.example", address) == ""


@pytest.mark.parametrize("address", _METADATA)
def test_metadata_is_never_opened(address: str) -> None:
    rules = HostRules(allowed=["*"])
    assert "metadata" in refused(rules, "a.org", address)
    assert "metadata" in refused(rules, "metadata.google.internal", "8.8.8.8")


@pytest.mark.parametrize("host", _LITERALS)
def test_literal_addresses_are_checked_before_they_are_resolved(host: str) -> None:
    with pytest.raises(AccessDenied):
        HostRules().check_host(host)


def test_the_administrators_lists() -> None:
    rules = HostRules(allowed=["*.example.org", "docs.python.org"], denied=["bad.example.org"])
    assert refused(rules, "a.example.org", "8.8.8.8") == ""
    assert refused(rules, "Docs.Python.org.", "8.8.8.8") == ""
    assert "denied_hosts" in refused(rules, "bad.example.org", "8.8.8.8")
    assert "not in the setting" in refused(rules, "example.org", "8.8.8.8")
    assert "not in the setting" in refused(rules, "example.org.evil.com", "8.8.8.8")
    assert "denied_hosts" in refused(HostRules(denied=["8.8.*"]), "a.org", "8.8.8.8")


@given(st.ip_addresses())
def test_no_address_of_this_machine_or_its_network(address: object) -> None:
    if refused(HostRules(), "a.org", str(address)) == "":
        ip = ip_address(str(address))
        assert ip.is_global
        assert not ip.is_multicast
        assert not ip.is_loopback


def test_a_pattern_of_addresses_matches_no_name() -> None:
    rules = HostRules(allowed=["10.*", "*.example.org"])
    assert rules.is_listed("10.1.2.3")
    assert rules.is_listed("www.example.org")
    assert not rules.is_listed("10.evil.org")
    with pytest.raises(AccessDenied, match="allowed_hosts"):
        rules.check_host("10.evil.org")
    assert HostRules(allowed=["[ab].example.org"]).is_listed("a.example.org")
    with pytest.raises(AccessDenied, match="denied_hosts"):
        HostRules(denied=["*"]).check_host("10.evil.org")
