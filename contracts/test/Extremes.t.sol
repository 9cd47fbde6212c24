// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SwapVault} from "../src/SwapVault.sol";
import {Order} from "../src/SwapTypes.sol";
import {Fixture} from "./Fixture.sol";

contract ExtremesTest is Fixture {
    function test_oneMicro() public {
        Order memory o = _buy(address(account), 1, 1);
        _request(o);
        _fill(o, 1, 1);
        Order memory s = _sell(address(account), 1, 1);
        _request(s);
        _fill(s, 1, 1);
        _eq(_usdc(address(account)), 10_000e6, "there and back");
        Order memory h = _buy(address(account), 1, 1);
        _request(h);
        _fill(h, 1, 1);
        _settle(MARKET, 500_000, 500_000);
        settlement.redeem(address(account), MARKET, 0, 1);
        _eq(_usdc(address(account)), 10_000e6 - 1, "half a micro is rounded down");
    }

    function test_maxima() public {
        uint128 max = type(uint128).max;
        uint104 most = type(uint104).max;
        uint56 all = type(uint56).max;
        _fund(stranger, max);
        Order memory o = _buy(stranger, max, max);
        _request(o);
        _attest(MARKET, all, ONE);
        vm.prank(admin);
        vault.setBuckets(type(uint64).max, type(uint64).max, type(uint64).max);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BackingExceeded.selector, most, all));
        vault.fill(_last(o, most, most));
        _fill(o, all, all);
        _eq(token.balanceOf(stranger, yes), all, "tokens");
        _eq(_usdc(stranger), uint256(max) - all, "rest");
        (uint56 supply, uint56 minted, uint56 bought,, uint24 floor, uint24 payout, bool settled) = vault.tokens(yes);
        assert(supply == all && minted == all && bought == all && floor == ONE && payout == 0 && !settled);
        Order memory s = _sell(stranger, all, all);
        _request(s);
        _fill(s, all, all);
        _eq(_usdc(stranger), max, "there and back");
        (supply, minted, bought,, floor, payout, settled) = vault.tokens(yes);
        assert(supply == 0 && minted == all && bought == all && floor == ONE && payout == 0 && !settled);
    }

    function test_maximaCanAlwaysBeRefunded() public {
        uint128 max = type(uint128).max;
        _fund(stranger, max);
        Order memory o = _buy(stranger, max, max);
        _request(o);
        vm.warp(o.expiry + 1);
        vault.refund(o);
        _eq(_usdc(stranger), max, "refund");
    }
}
