// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payments} from "../src/Payments.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Order, Redemption} from "../src/SwapTypes.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract VaultRefundTest is Fixture {
    function test_operatorAnyTime() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        vm.recordLogs();
        vm.prank(operator);
        vault.refund(o);
        _eq(_usdc(address(account)), 10_000e6, "account");
        _eq(_status(o), 3, "status");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        assert(last.topics[0] == SwapVault.OrderRefunded.selector && last.topics[1] == vault.orderIdOf(o));
        assert(keccak256(last.data) == keccak256(abi.encode(1e6)));
    }

    function test_anyoneAfterExpiryAndFundsOnlyToTheAccount() public {
        _acquire(address(account), MARKET, 0, 5e6);
        Order memory b = _buy(address(account), 1e6, 1e6);
        Order memory s = _sell(address(account), 5e6, 1);
        (b.receiver, s.receiver) = (stranger, stranger);
        _request(b);
        _request(s);
        vm.warp(b.expiry + 1);
        vm.startPrank(stranger);
        vault.refund(b);
        vault.refund(s);
        vm.stopPrank();
        _eq(_usdc(address(account)), 10_000e6, "usdc");
        _eq(token.balanceOf(address(account), yes), 5e6, "tokens");
        _eq(_usdc(stranger), 0, "stranger");
    }

    function test_batchSkipsWhatFails() public {
        Order[] memory list = new Order[](4);
        for (uint256 i; i < 4; ++i) list[i] = _buy(address(account), 1e6, 1e6);
        _request(list[0]);
        _request(list[1]);
        _request(list[3]);
        _fill(list[1], 1e6, 1e6);
        vm.recordLogs();
        vm.prank(operator);
        vault.refundBatch(list);
        _eq(_status(list[0]), 3, "refunded");
        _eq(_status(list[1]), 2, "filled");
        _eq(_status(list[2]), 0, "unknown");
        _eq(_status(list[3]), 3, "refunded after two failures");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 failures;
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] == SwapVault.RefundFailed.selector) ++failures;
        }
        _eq(failures, 2, "each failure is told");
    }

    function test_batchByStrangersOnlyAfterExpiry() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        vm.prank(stranger);
        vault.refundBatch(_one(o));
        _eq(_status(o), 1, "not yet");
        vm.warp(o.expiry + 1);
        vm.prank(stranger);
        vault.refundBatch(_one(o));
        _eq(_status(o), 3, "now");
    }

    function test_innerFunctionsAreTheVaultsOwn() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        vm.startPrank(operator);
        vm.expectRevert(Payments.OnlySelf.selector);
        vault.refundTask(o, true);
        vm.expectRevert(Payments.OnlySelf.selector);
        vault.fillMember(_last(o, 1, 1));
        vm.expectRevert(Payments.OnlySelf.selector);
        vault.requestTask(o, "");
        vm.expectRevert(Payments.OnlySelf.selector);
        settlement.redeemTask(Redemption(owner, MARKET, 0, 1), owner);
    }
}
