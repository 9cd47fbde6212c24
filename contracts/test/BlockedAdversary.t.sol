// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payments} from "../src/Payments.sol";
import {Order} from "../src/SwapTypes.sol";
import {Fixture} from "./Fixture.sol";

contract BlockedAdversaryTest is Fixture {
    function _block(address a, bool blocked) private {
        vm.prank(admin);
        if (blocked) usdc.blacklist(a);
        else usdc.unBlacklist(a);
    }

    function test_refundOfABlockedAccountIsCreditedToIt() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        _block(address(account), true);
        vm.prank(operator);
        vault.refund(o);
        _eq(_status(o), 3, "status");
        _eq(vault.claimable(address(account)), 1e6, "credit");
        vm.expectRevert();
        vault.claim(address(account));
        _block(address(account), false);
        vm.prank(stranger);
        vault.claim(address(account));
        _eq(_usdc(address(account)), 10_000e6, "to the account only");
        vm.expectRevert(Payments.NothingToClaim.selector);
        vault.claim(address(account));
    }

    function test_creditsAddUp() public {
        Order memory a = _buy(address(account), 1e6, 1e6);
        Order memory b = _buy(address(account), 1e6, 2e6);
        _request(a);
        _request(b);
        _block(address(account), true);
        vm.startPrank(operator);
        vault.refund(a);
        vault.refund(b);
        vm.stopPrank();
        _eq(vault.claimable(address(account)), 3e6, "both");
    }

    function test_blockedAccountStillGetsItsTokens() public {
        Order memory o = _buy(address(account), 2e6, 2e6);
        _request(o);
        _block(address(account), true);
        _fill(o, 2e6, 500_000);
        _eq(token.balanceOf(address(account), yes), 2e6, "tokens");
        _eq(vault.claimable(address(account)), 1_500_000, "rest");
        _eq(vault.accrued(), 500_000, "accrued");
    }

    function test_blockedReceiverOfASaleFallsBackToTheAccount() public {
        _acquire(address(account), MARKET, 0, 2e6);
        Order memory o = _sell(address(account), 2e6, 1e6);
        o.receiver = stranger;
        _request(o);
        _block(stranger, true);
        _fill(o, 2e6, 1e6);
        _eq(_usdc(address(account)), 10_001e6, "account");
    }

    function test_blockedReceiverAndAccountOfASale() public {
        _acquire(address(account), MARKET, 0, 2e6);
        Order memory o = _sell(address(account), 2e6, 1e6);
        o.receiver = stranger;
        _request(o);
        _block(stranger, true);
        _block(address(account), true);
        _fill(o, 2e6, 1e6);
        _eq(vault.claimable(address(account)), 1e6, "credit");
        _eq(vault.claimable(stranger), 0, "not the receiver's");
    }

    function test_blockedHolderIsCreditedAtRedemption() public {
        _acquire(stranger, MARKET, 0, 2e6);
        _settle(MARKET, ONE, 0);
        _block(stranger, true);
        settlement.redeem(stranger, MARKET, 0, 2e6);
        _eq(settlement.claimable(stranger), 2e6, "credit");
        _block(stranger, false);
        settlement.claim(stranger);
        _eq(_usdc(stranger), 2e6, "paid");
    }

    function test_pausedUsdcStopsNoRefund() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        vm.prank(admin);
        usdc.setPaused(true);
        vm.warp(o.expiry + 1);
        vault.refund(o);
        _eq(vault.claimable(address(account)), 1e6, "credit");
    }
}
