// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SwapVault} from "../src/SwapVault.sol";
import {Order} from "../src/SwapTypes.sol";
import {Vm} from "./Vm.sol";
import {RestingFixture} from "./RestingFixture.sol";

contract EndTest is RestingFixture {
    function test_theAccountEndsItsOrderHalfAnHourLater() public {
        Order memory o = _restingBuy(10e6, 6e6);
        vm.recordLogs();
        _requestEnd(o);
        Vm.Log memory log = vm.getRecordedLogs()[0];
        assert(log.topics[0] == SwapVault.OrderEndRequested.selector && log.topics[1] == vault.orderIdOf(o));
        assert(log.topics[2] == bytes32(uint256(uint160(o.account))) && log.topics[3] == o.clientRef);
        assert(keccak256(log.data) == keccak256(abi.encode(START + 30 minutes)));
        _isAt(o, 1, START + 30 minutes, 0, 0);
    }

    /// What the exchange filled before it heard of the end is delivered until the last second; from then
    /// on anyone returns the rest.
    function test_theRaceBetweenAFillAndTheEnd() public {
        Order memory o = _restingBuy(10e6, 6e6);
        _fillPart(o, 2e6, 1e6);
        _requestEnd(o);
        vm.warp(START + 30 minutes);
        _attest(MARKET, 100e6);
        vm.prank(stranger);
        vm.expectRevert(SwapVault.OrderNotExpired.selector);
        vault.refund(o);
        _fillPart(o, 4e6, 2e6);
        vm.warp(START + 30 minutes + 1);
        _refused(_part(o, 6e6, 3e6), SwapVault.OrderExpired.selector);
        _refused(_last(o, 6e6, 3e6), SwapVault.OrderExpired.selector);
        vm.prank(stranger);
        vault.refund(o);
        _isAt(o, 3, START + 30 minutes, 4e6, 2e6);
        _eq(_usdc(address(account)), 10_000e6 - 2e6, "account");
    }

    function test_theOperatorMayEndItAtOnce() public {
        Order memory o = _restingBuy(10e6, 6e6);
        _requestEnd(o);
        _fill(o, 1e6, 500_000);
        _isAt(o, 2, START + 30 minutes, 1e6, 500_000);
        Order memory r = _restingBuy(10e6, 6e6);
        _requestEnd(r);
        vm.prank(operator);
        vault.refund(r);
        _isAt(r, 3, START + 30 minutes, 0, 0);
    }

    function test_theEndIsNeverLaterThanTheExpiry() public {
        Order memory o = _buy(address(account), 10e6, 6e6); // lives ten minutes
        _request(o);
        _requestEnd(o);
        _isAt(o, 1, o.expiry, 0, 0);
        vm.warp(o.expiry + 1);
        vault.refund(o);
    }

    function test_anOrderThatHasNotOpenedEndsAtOnce() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        vm.prank(pauser);
        vault.pause();
        vm.recordLogs();
        _requestEnd(o);
        Vm.Log memory log = vm.getRecordedLogs()[0];
        assert(log.topics[0] == SwapVault.OrderEndRequested.selector && log.topics[1] == vault.orderIdOf(o));
        _eq(abi.decode(log.data, (uint256)), block.timestamp, "the end");
        vm.prank(admin);
        vault.unpause();
        _eq(_status(o), 4, "ended before it opened");
        assert(!_requestFor(o));
        vm.startPrank(o.account);
        usdc.approve(address(vault), 1e6);
        vm.expectRevert(SwapVault.EndAlreadyRequested.selector);
        vault.request(o);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BadStatus.selector, 4));
        vault.requestEnd(o);
        vm.stopPrank();
        _refused(_part(o, 1e6, 900_000), SwapVault.BadStatus.selector);
        vm.warp(o.expiry + 1);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BadStatus.selector, 4));
        vault.refund(o);
    }

    function test_onlyItsAccountAsksAndOnlyOnce() public {
        Order memory o = _restingBuy(10e6, 6e6);
        address[3] memory others = [operator, owner, stranger];
        for (uint256 i; i < 3; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(SwapVault.OnlyOrderAccount.selector);
            vault.requestEnd(o);
        }
        _requestEnd(o);
        vm.warp(START + 20 minutes);
        vm.prank(o.account);
        vm.expectRevert(SwapVault.EndAlreadyRequested.selector); // and so postpones nothing
        vault.requestEnd(o);
        vm.prank(operator);
        vault.refund(o);
        vm.prank(o.account);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BadStatus.selector, 3));
        vault.requestEnd(o);
    }

    function test_theOwnerOfAnAccountAsksThroughIt() public {
        Order memory o = _restingBuy(10e6, 6e6);
        bytes memory call = abi.encodeCall(vault.requestEnd, (o));
        vm.prank(owner);
        account.execute(
            bytes32(uint256(1) << 248), abi.encode(_call(address(vault), call))
        );
        _isAt(o, 1, START + 30 minutes, 0, 0);
    }

    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    function _call(address target, bytes memory data) private pure returns (Call[] memory calls) {
        calls = new Call[](1);
        calls[0] = Call(target, 0, data);
    }

    function test_aSellEndsTheSameWay() public {
        Order memory s = _restingSell(10e6, 4e6);
        _fillPart(s, 3e6, 1_500_000);
        _requestEnd(s);
        vm.warp(START + 30 minutes + 1);
        vm.prank(stranger);
        vault.refundBatch(_one(s));
        _eq(token.balanceOf(address(account), yes), 7e6, "the rest");
        _isAt(s, 3, START + 30 minutes, 3e6, 1_500_000);
    }

    function test_theProceedsOfAnOrderNeverReachTheSettlement() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        o.receiver = address(settlement);
        vm.prank(o.account);
        vm.expectRevert(SwapVault.BadReceiver.selector);
        vault.request(o);
    }
}
