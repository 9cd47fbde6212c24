// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";

import {LeakyBucket} from "../src/LeakyBucket.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Fill, Order} from "../src/SwapTypes.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract VaultFillTest is Fixture {
    function test_buyDeliversAndReturnsTheRest() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        _request(o);
        vm.recordLogs();
        _fill(o, 10e6, 5_500_000);
        _eq(token.balanceOf(address(account), yes), 10e6, "tokens");
        _eq(token.totalSupply(yes), 10e6, "supply");
        _eq(_usdc(address(account)), 10_000e6 - 5_500_000, "account");
        _eq(_usdc(address(vault)), 5_500_000, "vault");
        _eq(vault.accrued(), 5_500_000, "accrued");
        _eq(_status(o), 2, "status");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        assert(last.topics[0] == SwapVault.OrderFilled.selector);
        assert(last.topics[1] == vault.orderIdOf(o) && last.topics[2] == bytes32(uint256(uint160(o.account))));
        assert(keccak256(last.data) == keccak256(abi.encode(10e6, 5_500_000, 500_000)));
    }

    function test_buyToAnotherReceiver() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        o.receiver = stranger;
        _request(o);
        _fill(o, 4e6, 2_400_000);
        _eq(token.balanceOf(stranger, yes), 4e6, "receiver");
        _eq(_usdc(address(account)), 10_000e6 - 2_400_000, "the rest goes to the account");
    }

    function test_sellPaysAndReturnsTheRest() public {
        _acquire(address(account), MARKET, 0, 10e6);
        uint256 before = _usdc(address(account));
        Order memory o = _sell(address(account), 10e6, 4e6);
        _request(o);
        _fill(o, 6e6, 3e6);
        _eq(_usdc(address(account)), before + 3e6, "proceeds");
        _eq(token.balanceOf(address(account), yes), 4e6, "returned");
        _eq(token.balanceOf(address(vault), yes), 0, "escrow");
        _eq(token.totalSupply(yes), 4e6, "supply");
        _eq(vault.accrued(), 7e6, "accrued pays first");
    }

    function test_sellToAnotherReceiver() public {
        _acquire(address(account), MARKET, 0, 10e6);
        Order memory o = _sell(address(account), 10e6, 4e6);
        o.receiver = stranger;
        _request(o);
        _fill(o, 5e6, 3e6);
        _eq(_usdc(stranger), 3e6, "proceeds");
        _eq(token.balanceOf(address(account), yes), 5e6, "tokens stay the account's");
    }

    function test_sellDrawsTheShortfallFromTheTreasury() public {
        _acquire(address(account), MARKET, 0, 10e6);
        vm.prank(treasury);
        vault.sweep(8e6);
        uint256 before = _usdc(treasury);
        Order memory o = _sell(address(account), 10e6, 4e6);
        _request(o);
        _fill(o, 10e6, 5e6);
        _eq(vault.accrued(), 0, "accrued first");
        _eq(_usdc(treasury), before - 3e6, "then the treasury");
        _eq(_usdc(address(vault)), 0, "vault");
    }

    function test_sellWithoutFundsFailsAndStaysOpen() public {
        _acquire(address(account), MARKET, 0, 10e6);
        vm.startPrank(treasury);
        vault.sweep(10e6);
        usdc.approve(address(vault), 0);
        vm.stopPrank();
        Order memory o = _sell(address(account), 10e6, 4e6);
        _request(o);
        vm.prank(operator);
        vm.expectRevert();
        vault.fill(_last(o, 10e6, 5e6));
        _eq(_status(o), 1, "status");
    }

    function test_onlyOperators() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        vm.startPrank(stranger);
        bytes memory denied = abi.encodeWithSelector(
            IAccessControl.AccessControlUnauthorizedAccount.selector, stranger, vault.OPERATOR_ROLE()
        );
        vm.expectRevert(denied);
        vault.fill(_last(o, 1e6, 1e6));
        vm.expectRevert(denied);
        vault.fillBatch(new Fill[](0));
        vm.expectRevert(denied);
        vault.requestFor(new Order[](0), _unsigned(0));
    }

    function test_unknownOrderCannotBeFilled() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _fillRefused(o, 1e6, 1e6, abi.encodeWithSelector(SwapVault.BadStatus.selector, 0));
    }

    function test_endsOnce() public {
        Order memory o = _buy(address(account), 2e6, 2e6);
        _request(o);
        _fill(o, 1e6, 1e6);
        _fillRefused(o, 1e6, 1e6, abi.encodeWithSelector(SwapVault.BadStatus.selector, 2));
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BadStatus.selector, 2));
        vault.refund(o);
        Order memory r = _buy(address(account), 2e6, 2e6);
        _request(r);
        vm.prank(operator);
        vault.refund(r);
        _fillRefused(r, 1e6, 1e6, abi.encodeWithSelector(SwapVault.BadStatus.selector, 3));
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BadStatus.selector, 3));
        vault.refund(r);
    }

    function test_quantityBounds() public {
        Order memory o = _buy(address(account), 2e6, 2e6);
        _request(o);
        _fillRefused(o, 0, 0, abi.encodeWithSelector(SwapVault.NothingNew.selector));
        _acquire(address(account), MARKET, 0, 2e6 + 1);
        Order memory s = _sell(address(account), 2e6, 1);
        _request(s);
        _fillRefused(s, 2e6 + 1, 1, abi.encodeWithSelector(SwapVault.InputExceeded.selector));
    }

    function test_aBuyMayBringMoreThanItsQuantityForNoMoreThanItsLimit() public {
        Order memory o = _buy(address(account), 2e6, 1e6);
        _request(o);
        bytes memory outside = abi.encodeWithSelector(SwapVault.PriceOutsideLimit.selector);
        _fillRefused(o, 1e6, 500_001, outside);
        _fillRefused(o, 3e6, 1e6 + 1, abi.encodeWithSelector(SwapVault.InputExceeded.selector));
        _fill(o, 3e6, 1e6);
        _eq(_usdc(address(account)), 10_000e6 - 1e6, "account");
    }

    function test_buyPriceBoundHoldsForPartsToo() public {
        Order memory o = _buy(address(account), 3e6, 1e6);
        _request(o);
        bytes memory outside = abi.encodeWithSelector(SwapVault.PriceOutsideLimit.selector);
        _fillRefused(o, 3e6, 1e6 + 1, abi.encodeWithSelector(SwapVault.InputExceeded.selector));
        _fillRefused(o, 1e6, 333_334, outside);
        _fill(o, 1e6, 333_333);
        _eq(_usdc(address(account)), 10_000e6 - 333_333, "account");
    }

    function test_sellPriceBoundHoldsForPartsToo() public {
        _acquire(address(account), MARKET, 0, 3e6);
        Order memory o = _sell(address(account), 3e6, 1e6);
        _request(o);
        bytes memory outside = abi.encodeWithSelector(SwapVault.PriceOutsideLimit.selector);
        _fillRefused(o, 3e6, 1e6 - 1, outside);
        _fillRefused(o, 1e6, 333_333, outside);
        _fill(o, 1e6, 333_334);
    }

    function test_aContractNeverCostsMoreThanADollar() public {
        Order memory o = _buy(address(account), 1e6, 5e6);
        _request(o);
        bytes memory over = abi.encodeWithSelector(SwapVault.OverOneDollar.selector);
        _fillRefused(o, 1e6, 1_050_001, over);
        _fill(o, 1e6, 1_050_000);
        _acquire(address(account), MARKET, 0, 2e6);
        Order memory s = _sell(address(account), 2e6, 1);
        _request(s);
        _fillRefused(s, 1e6, 1e6 + 1, over);
        _fill(s, 1e6, 1e6);
    }

    function test_mintsNothingBeyondTheBacking() public {
        _attest(MARKET, 5e6);
        _acquire(address(otherAccount), MARKET, 0, 3e6);
        Order memory o = _buy(address(account), 3e6, 3e6);
        _request(o);
        _fillRefused(o, 2e6 + 1, 1e6, abi.encodeWithSelector(SwapVault.BackingExceeded.selector, 5e6 + 1, 5e6));
        _fill(o, 2e6, 1e6);
    }

    /// What was sold at the exchange is not there any more, so a sale makes no room for another mint.
    function test_aSaleTakesItsBackingAlong() public {
        _attest(MARKET, 5e6);
        _acquire(address(account), MARKET, 0, 5e6);
        Order memory s = _sell(address(account), 4e6, 1);
        _request(s);
        _fill(s, 4e6, 2e6);
        Order memory o = _buy(address(account), 3e6, 3e6);
        _request(o);
        _fillRefused(o, 1, 1, abi.encodeWithSelector(SwapVault.BackingExceeded.selector, 5e6 + 1, 5e6));
        _attest(MARKET, 8e6);
        _fill(o, 3e6, 3e6);
        (uint56 supply, uint56 minted, uint56 bought,,,,) = vault.tokens(yes);
        assert(supply == 4e6 && minted == 8e6 && bought == 8e6);
    }

    function test_mintsNothingBelowTheFloor() public {
        _attest(MARKET, 100e6, 333_333);
        Order memory o = _buy(address(account), 9e6, 9e6);
        _request(o);
        bytes memory below = abi.encodeWithSelector(SwapVault.BelowFloor.selector, 333_333);
        _fillRefused(o, 3e6, 999_998, below);
        _fillRefused(o, 1, 0, below);
        _fill(o, 3e6, 999_999);
        _attest(MARKET, 100e6, 0);
        Order memory free = _buy(address(account), 1e6, 1e6);
        _request(free);
        _fill(free, 1e6, 0);
    }

    function test_oldAttestationsDoNotCount() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        o.expiry = uint64(START + 2 hours);
        _request(o);
        vm.warp(START + 15 minutes + 1);
        _fillRefused(o, 1e6, 1e6, abi.encodeWithSelector(SwapVault.BackingStale.selector, START + 15 minutes));
        vm.warp(START + 15 minutes);
        _fill(o, 1e6, 1e6);
    }

    /// What buyers pay counts: a hundred contracts for a dollar take no more room than one does.
    function test_hourlyMintCap() public {
        vm.prank(admin);
        vault.setBuckets(10e6, 100e6, 0);
        Order memory cheap = _buy(address(account), 1_000e6, 100e6);
        _request(cheap);
        _fill(cheap, 600e6, 6e6);
        (uint256 room,,) = vault.rooms();
        _eq(room, 4e6, "room");
        Order memory o = _buy(address(account), 60e6, 60e6);
        o.expiry = uint64(START + 2 hours);
        _request(o);
        _fillRefused(o, 60e6, 4e6 + 1, abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 4e6 + 1, 4e6));
        vm.warp(START + 12 minutes); // a fifth of the capacity has leaked
        (room,,) = vault.rooms();
        _eq(room, 6e6, "room");
        _fill(o, 60e6, 6e6);
        (room,,) = vault.rooms();
        _eq(room, 0, "room");
    }

    function test_payoutsLeakFromTheLastOneOn() public {
        _acquire(address(account), MARKET, 0, 20e6);
        Order memory a = _sell(address(account), 10e6, 1);
        Order memory b = _sell(address(account), 10e6, 1);
        (a.expiry, b.expiry) = (uint64(START + 2 hours), uint64(START + 2 hours));
        _request(a);
        _request(b);
        vm.prank(admin);
        vault.setBuckets(1_000e6, 10e6, 10e6);
        vm.warp(START + 30 minutes);
        _fill(a, 10e6, 10e6);
        (, uint256 room,) = vault.rooms();
        _eq(room, 0, "room");
        _fillRefused(b, 10e6, 1, abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 1, 0));
    }

    function test_hourlyPayoutCap() public {
        vm.prank(admin);
        vault.setBuckets(1_000e6, 10e6, 10e6);
        _acquire(address(account), MARKET, 0, 100e6);
        Order memory a = _sell(address(account), 20e6, 1);
        Order memory b = _sell(address(account), 20e6, 1);
        (a.expiry, b.expiry) = (uint64(START + 2 hours), uint64(START + 2 hours));
        _request(a);
        _request(b);
        _fillRefused(a, 20e6, 10e6 + 1, abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 10e6 + 1, 10e6));
        _fill(a, 20e6, 10e6);
        _fillRefused(b, 20e6, 1e6, abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 1e6, 0));
        vm.warp(START + 1 hours);
        (, uint256 room,) = vault.rooms();
        _eq(room, 10e6, "room");
        _fill(b, 20e6, 10e6);
    }

    function test_lastSecond() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        Order memory late = _buy(address(account), 1e6, 1e6);
        _request(o);
        _request(late);
        vm.warp(o.expiry);
        vm.prank(stranger);
        vm.expectRevert(SwapVault.OrderNotExpired.selector);
        vault.refund(o);
        _fill(o, 1e6, 1e6);
        vm.warp(o.expiry + 1);
        _fillRefused(late, 1e6, 1e6, abi.encodeWithSelector(SwapVault.OrderExpired.selector));
        vm.prank(stranger);
        vault.refund(late);
    }

    function test_settledMarketFillsNothing() public {
        _acquire(address(account), MARKET, 0, 1e6);
        Order memory b = _buy(address(account), 1e6, 1e6);
        Order memory s = _sell(address(account), 1e6, 1);
        (b.expiry, s.expiry) = (uint64(START + 1 days), uint64(START + 1 days));
        _request(b);
        _request(s);
        _settle(MARKET, ONE, 0);
        _attest(MARKET, 100e6);
        _fillRefused(b, 1e6, 1e6, abi.encodeWithSelector(SwapVault.MarketSettled.selector));
        _fillRefused(s, 1e6, 1e6, abi.encodeWithSelector(SwapVault.MarketSettled.selector));
        vm.startPrank(operator);
        vault.refund(b);
        vault.refund(s);
        vm.stopPrank();
        settlement.redeem(address(account), MARKET, 0, 1e6);
    }

    function test_proposedMarketStillFills() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        _propose(MARKET, ONE, 0);
        _fill(o, 1e6, 1e6);
        _eq(token.balanceOf(address(account), yes), 1e6, "tokens");
    }

    function _fillRefused(Order memory o, uint128 quantity, uint128 quote, bytes memory reason) private {
        uint8 before = _status(o);
        vm.prank(operator);
        vm.expectRevert(reason);
        vault.fill(_last(o, quantity, quote));
        _eq(_status(o), before, "a refused fill changes nothing");
    }

    function testFuzz_buyConserves(uint128 quantity, uint128 limit, uint128 filled, uint128 quote) public {
        quantity = uint128(_clip(quantity, 1, 100_000e6));
        limit = uint128(_clip(limit, 1, 10_000e6));
        filled = uint128(_clip(filled, 1, quantity));
        quote = uint128(_clip(quote, 0, limit));
        Order memory o = _buy(address(account), quantity, limit);
        _request(o);
        vm.prank(operator);
        try vault.fill(_last(o, filled, quote)) {
            assert(uint256(quote) * quantity <= uint256(limit) * filled);
            assert(quote <= filled + 50_000);
            _eq(_usdc(address(account)), 10_000e6 - quote, "paid the quote and no more");
            _eq(token.balanceOf(address(account), yes), filled, "got what was filled");
            _eq(vault.accrued(), quote, "accrued");
        } catch {
            assert(
                uint256(quote) * quantity > uint256(limit) * filled || quote > filled + 50_000
            );
            vm.prank(operator);
            vault.refund(o);
            _eq(_usdc(address(account)), 10_000e6, "refund");
        }
    }

    function testFuzz_sellConserves(uint128 quantity, uint128 limit, uint128 filled, uint128 quote) public {
        quantity = uint128(_clip(quantity, 1, 50_000e6));
        limit = uint128(_clip(limit, 0, 50_000e6));
        filled = uint128(_clip(filled, 1, quantity));
        quote = uint128(_clip(quote, 0, 50_000e6));
        _acquire(address(account), MARKET, 0, quantity);
        uint256 before = _usdc(address(account));
        Order memory o = _sell(address(account), quantity, limit);
        _request(o);
        vm.prank(operator);
        try vault.fill(_last(o, filled, quote)) {
            assert(uint256(quote) * quantity >= uint256(limit) * filled && quote <= filled);
            _eq(_usdc(address(account)), before + quote, "proceeds");
            _eq(token.balanceOf(address(account), yes), quantity - filled, "returned");
            _eq(token.totalSupply(yes), quantity - filled, "burned");
        } catch {
            assert(uint256(quote) * quantity < uint256(limit) * filled || quote > filled);
            vm.prank(operator);
            vault.refund(o);
            _eq(token.balanceOf(address(account), yes), quantity, "refund");
        }
    }

    function _clip(uint256 value, uint256 low, uint256 high) private pure returns (uint256) {
        return low + (value % (high - low + 1));
    }
}
