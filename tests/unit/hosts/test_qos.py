"""The RoCE contract of a server, in the words of the tools that tell it to the NIC."""

from dataclasses import replace

from tests.unit.hosts.hosts import designed, rails, servers

from fabricgen.model.fabric.hosts import HostContract, StorageSide
from fabricgen.nos.hosts.qos import nccl, qos
from fabricgen.nos.hosts.routed import RoutedShare
from fabricgen.nos.hosts.view import Qos


def share_of(**words: object) -> RoutedShare:
    return rails(servers(designed(**words))[0]).share  # type: ignore[arg-type]


SHARE = share_of()


def told(**changes: object) -> Qos:
    """Return what a NIC is told of a contract with some terms changed."""
    contract: HostContract | None = SHARE.contract
    assert contract is not None
    view = qos(replace(SHARE, contract=replace(contract, **changes)))  # type: ignore[arg-type]
    assert view is not None
    return view


def test_without_a_class_for_roce_nothing_is_told() -> None:
    bare = replace(SHARE, contract=None)
    assert qos(bare) is None
    assert nccl([bare]).traffic_class is None


def test_one_class_that_is_paused_and_marked() -> None:
    view = told()
    assert (view.model, view.contract.dscp, view.contract.priority) == ("connectx-7", 26, 3)
    assert (view.contract.cnp_dscp, view.contract.cnp_priority) == (48, 6)
    assert (view.pfc, view.paused, view.contract.paused) == ("0,0,0,1,0,0,0,0", "3", (3,))
    assert (view.bitmap, view.pauses, view.idle) == ("0x8", "all:off 3:on", (0, 1, 2, 4, 5, 6, 7))
    assert (view.ecn, view.dcqcn, view.reactions) == (1, "Enabled", ((3, 1),))
    assert (view.contract.traffic_class, view.forced, view.length) == (106, 106, 5)
    assert view.table == ((3, "26"), (6, "48"), (7, "56"))
    assert (view.map, view.dscps) == ("26:3 48:6 56:7", "26:3 48:6")
    assert (view.others, view.contract.storage) == ("0-25,27-47,49-63", None)
    assert (view.share, view.rest) == (50, 50)
    assert (view.lanes, view.weights, view.limits) == ("3,0,6", "50,50,0", "0,0,10")
    assert (view.kinds, view.percents) == (
        "ets,strict,strict,ets,strict,strict,strict,strict",
        "50,0,0,50,0,0,0,0",
    )
    assert view.tcs_three == "0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0"
    assert view.tcs_two == "0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0"


def test_several_dscps_of_one_priority_are_a_pattern() -> None:
    priorities = [0] * 64
    priorities[10] = priorities[12] = 1
    priorities[63] = 5
    view = told(priorities=tuple(priorities))
    assert view.table == ((1, "10|12"), (5, "63"))
    assert view.map == "10:1 12:1 63:5"


def test_without_pause_and_marking_it_says_so() -> None:
    view = told(paused=(), ecn=False)
    assert (view.paused, view.bitmap, view.pauses) == ("nothing", "0x0", "all:off")
    assert view.idle == (0, 1, 2, 3, 4, 5, 6, 7)
    assert (view.ecn, view.dcqcn, view.reactions) == (0, "Disabled", ((3, 0),))


def test_a_class_for_storage_is_a_second_lane_and_no_byte_is_forced() -> None:
    storage = StorageSide(dscp=28, priority=4, ecn=True)
    view = told(storage=storage, ecn=False, paused=(3, 4), shares=(40, 30, 30))
    assert (view.paused, view.bitmap, view.pauses) == ("3,4", "0x18", "all:off 3:on 4:on")
    assert view.pfc == "0,0,0,1,1,0,0,0"
    assert (view.ecn, view.dcqcn, view.reactions) == (1, "Enabled", ((3, 0), (4, 1)))
    assert (view.contract.traffic_class, view.forced, view.contract.storage) == (106, -1, storage)
    assert (view.dscps, view.others) == ("26:3 28:4 48:6", "0-25,27,29-47,49-63")
    assert (view.share, view.rest) == (40, 30)
    assert (view.lanes, view.weights, view.limits) == ("3,4,0,6", "40,30,30,0", "0,0,0,10")


def test_nccl_has_the_nics_and_the_byte_it_sends_with() -> None:
    view = nccl([SHARE])
    assert view.devices == "=rdma0:1,rdma1:1,rdma2:1,rdma3:1"
    assert (view.gid_index, view.traffic_class, view.sprayed) == (3, 106, False)
    assert view.pool == "172.16.0.0/12"
    assert view.queue_pairs > 1
    assert nccl([replace(SHARE, spines=False)]).queue_pairs == 1
