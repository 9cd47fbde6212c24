// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {LeakyBucket} from "../src/LeakyBucket.sol";
import {OutcomeToken} from "../src/OutcomeToken.sol";
import {Payments} from "../src/Payments.sol";
import {Settlement} from "../src/Settlement.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Backing, Fill, Order, Redemption} from "../src/SwapTypes.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract VaultRequestTest is Fixture {
    function test_buyLocksItsLimit() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes32 id = _request(o);
        assert(id == keccak256(abi.encode(block.chainid, address(vault), o)));
        _eq(vault.statusOf(id), 1, "status");
        _eq(_usdc(address(vault)), 6e6, "escrow");
        _eq(_usdc(address(account)), 9_994e6, "account");
        _eq(vault.accrued(), 0, "an escrow is not income");
    }

    function test_sellLocksItsQuantity() public {
        _acquire(address(account), MARKET, 0, 10e6);
        Order memory o = _sell(address(account), 7e6, 1e6);
        _request(o);
        _eq(token.balanceOf(address(vault), yes), 7e6, "escrow");
        _eq(token.balanceOf(address(account), yes), 3e6, "account");
        _eq(token.totalSupply(yes), 10e6, "supply");
    }

    function test_emitsTheOrder() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        vm.prank(o.account);
        usdc.approve(address(vault), o.quoteLimit);
        vm.recordLogs();
        vm.prank(o.account);
        bytes32 id = vault.request(o);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        assert(last.emitter == address(vault) && last.topics[0] == SwapVault.OrderRequested.selector);
        assert(last.topics[1] == id && last.topics[3] == o.clientRef);
        assert(keccak256(last.data) == keccak256(abi.encode(o)));
    }

    function test_onlyTheAccountItself() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        vm.prank(stranger);
        vm.expectRevert(SwapVault.OnlyOrderAccount.selector);
        vault.request(o);
    }

    function test_refusesMalformedOrders() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        o.receiver = address(0);
        _refused(o, SwapVault.BadReceiver.selector);
        o.receiver = address(vault);
        _refused(o, SwapVault.BadReceiver.selector);
        o.receiver = o.account;
        o.outcome = 2;
        _refused(o, SwapVault.BadOutcome.selector);
        o.outcome = 1;
        o.quantity = 0;
        _refused(o, SwapVault.BadQuantity.selector);
        o.quantity = 1;
        o.quoteLimit = 0;
        _refused(o, SwapVault.BadLimit.selector);
        o.quoteLimit = 1;
        o.expiry = uint64(START + 60 - 1);
        _refused(o, SwapVault.BadExpiry.selector);
        o.expiry = uint64(START + 90 days + 1);
        _refused(o, SwapVault.BadExpiry.selector);
        o.account = address(0);
        _refused(o, Payments.ZeroAddress.selector);
    }

    function test_acceptsTheShortestAndTheLongestLife() public {
        Order memory o = _buy(address(account), 1, 1);
        o.expiry = uint64(START + 60);
        _request(o);
        o.expiry = uint64(START + 90 days);
        _request(o);
    }

    function test_sellMayHaveNoLimit() public {
        _acquire(address(account), MARKET, 0, 1);
        Order memory o = _sell(address(account), 1, 0);
        _request(o);
        _eq(_status(o), 1, "status");
    }

    function _refused(Order memory o, bytes4 reason) private {
        vm.prank(o.account);
        vm.expectRevert(reason);
        vault.request(o);
    }

    function test_neverOpensTwice() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        _refused(o, 1);
        vm.prank(operator);
        vault.refund(o);
        _refused(o, 3);
        Order memory f = _buy(address(account), 1e6, 1e6);
        _request(f);
        _fill(f, 1e6, 1e6);
        _refused(f, 2);
    }

    function _refused(Order memory o, uint8 status) private {
        vm.prank(o.account);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BadStatus.selector, status));
        vault.request(o);
    }

    function test_settledMarketTakesNoOrders() public {
        _settle(MARKET, ONE, 0);
        _refused(_buy(address(account), 1e6, 1e6), SwapVault.MarketSettled.selector);
    }

    function test_everyFieldIsPartOfTheId() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        bytes32 id = vault.orderIdOf(o);
        o.salt += 1;
        assert(vault.orderIdOf(o) != id);
        o.salt -= 1;
        o.clientRef = bytes32(uint256(1));
        assert(vault.orderIdOf(o) != id);
        o.clientRef = bytes32("ref");
        vm.chainId(block.chainid + 1);
        assert(vault.orderIdOf(o) != id);
    }

    function test_noAllowanceNoOrder() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        vm.prank(o.account);
        vm.expectRevert();
        vault.request(o);
        _eq(_status(o), 0, "status");
    }

    function test_strayTokensAreRefused() public {
        _acquire(stranger, MARKET, 0, 1e6);
        vm.prank(stranger);
        vm.expectRevert(SwapVault.UnexpectedTokens.selector);
        token.safeTransferFrom(stranger, address(vault), yes, 1e6, "");
        uint256[] memory ids = new uint256[](2);
        uint256[] memory amounts = new uint256[](2);
        (ids[0], ids[1], amounts[0]) = (yes, yes, 1);
        vm.prank(stranger);
        vm.expectRevert(SwapVault.UnexpectedTokens.selector);
        token.safeBatchTransferFrom(stranger, address(vault), ids, amounts, "");
        vm.expectRevert(SwapVault.UnexpectedTokens.selector);
        vault.onERC1155Received(address(0), address(0), 1, 1, "");
    }

    // A creation that reverts ends its test, so each is alone.
    function test_theZeroAddressAsUsdcIsRefused() public {
        vm.expectRevert(Payments.ZeroAddress.selector);
        new SwapVault(IERC20(address(0)), admin);
    }

    function test_theZeroAddressAsAdminIsRefused() public {
        vm.expectRevert(Payments.ZeroAddress.selector);
        new SwapVault(usdc, address(0));
    }

    function test_announcesItsInterfaces() public view {
        assert(vault.supportsInterface(0x4e2312e0) && vault.supportsInterface(0x01ffc9a7));
        assert(vault.supportsInterface(type(IAccessControl).interfaceId));
        assert(!vault.supportsInterface(0xffffffff));
    }
}

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

contract VaultAdministrationTest is Fixture {
    function test_pauseStopsRequestsAndFillsOnly() public {
        _grantDefault();
        _acquire(address(account), OTHER_MARKET, 0, 1e6);
        Order memory a = _buy(address(account), 1e6, 1e6);
        Order memory b = _buy(address(account), 1e6, 1e6);
        Order memory c = _buy(address(account), 1e6, 1e6);
        _request(a);
        _request(b);
        _request(c);
        _propose(OTHER_MARKET, ONE, 0);
        vm.prank(pauser);
        vault.pause();
        assert(vault.paused());

        vm.prank(address(account));
        vm.expectRevert(SwapVault.VaultPaused.selector);
        vault.request(_buy(address(account), 1e6, 1e6));
        vm.startPrank(operator);
        vm.expectRevert(SwapVault.VaultPaused.selector);
        vault.requestFor(new Order[](0), _unsigned(0));
        vm.expectRevert(SwapVault.VaultPaused.selector);
        vault.fill(_last(a, 1e6, 1e6));
        vm.expectRevert(SwapVault.VaultPaused.selector);
        vault.fillBatch(new Fill[](0));

        vault.refund(a);
        account.operatorWithdraw(address(usdc), 0, 1e6, stranger, bytes32("w"));
        vm.stopPrank();
        vm.warp(START + 1 hours);
        vault.refund(b);
        vault.refundBatch(_one(c));
        _eq(_status(c), 3, "batch");
        _finalize(OTHER_MARKET);
        settlement.redeem(address(account), OTHER_MARKET, 0, 1e6);

        vm.prank(admin);
        vault.unpause();
        _request(_buy(address(account), 1e6, 1e6));
    }

    function test_eachPowerBelongsToItsRole() public {
        _denied(pauser, abi.encodeCall(vault.unpause, ()));
        _denied(operator, abi.encodeCall(vault.pause, ()));
        _denied(operator, abi.encodeCall(vault.acceptTreasury, ()));
        _denied(admin, abi.encodeCall(vault.acceptTreasury, ()));
        _denied(operator, abi.encodeCall(vault.setBuckets, (1, 1, 1)));
        _denied(operator, abi.encodeCall(vault.setTimings, (1, 1)));
        _denied(operator, abi.encodeCall(vault.sweep, (0)));
        _deniedAtSettlement(operator, abi.encodeCall(settlement.proposeSettlement, (MARKET, ONE, 0)));
        _deniedAtSettlement(operator, abi.encodeCall(settlement.vetoSettlement, (MARKET)));
        _denied(operator, abi.encodeCall(vault.attestBacking, (new Backing[](0))));
        _deniedAtSettlement(operator, abi.encodeCall(settlement.registerMarket, ("x")));
        _deniedAtSettlement(resolver, abi.encodeCall(settlement.registerMarket, ("x")));
        _denied(attestor, abi.encodeCall(vault.fillBatch, (new Fill[](0))));
        _denied(resolver, abi.encodeCall(vault.fillBatch, (new Fill[](0))));
        _denied(admin, abi.encodeCall(vault.fillBatch, (new Fill[](0))));
        _denied(admin, abi.encodeCall(vault.pause, ()));
        _denied(operator, abi.encodeCall(vault.grantRole, (vault.OPERATOR_ROLE(), stranger)));
    }

    function _denied(address caller, bytes memory data) private {
        vm.prank(caller);
        (bool ok,) = address(vault).call(data);
        assert(!ok);
    }

    function _deniedAtSettlement(address caller, bytes memory data) private {
        vm.prank(caller);
        (bool ok,) = address(settlement).call(data);
        assert(!ok);
    }

    function test_parameters() public {
        vm.startPrank(admin);
        vault.setTimings(7, 9);
        vault.setBuckets(11, 13, 17);
        SwapVault.Parameters memory p = vault.parameters();
        _eq(p.settlementDelay, 7, "delay");
        _eq(p.maxBackingAge, 9, "age");
        _eq(p.mintPerHour, 11, "mint cap");
        _eq(p.payoutPerHour, 13, "payout cap");
        _eq(p.settlementPerHour, 17, "settlement cap");
        (uint256 mintRoom, uint256 payoutRoom, uint256 settlementRoom) = vault.rooms();
        _eq(mintRoom, 11, "mint room");
        _eq(payoutRoom, 13, "payout room");
        _eq(settlementRoom, 17, "settlement room");
    }

    function test_nobodyBecomesTheTreasuryUnasked() public {
        vm.prank(stranger);
        usdc.approve(address(vault), type(uint256).max); // for orders of its own
        vm.prank(admin);
        vault.grantRole(TREASURY_ROLE, stranger);
        assert(vault.treasury() == treasury);
        vm.prank(stranger);
        vault.acceptTreasury();
        assert(vault.treasury() == stranger);
        _denied(stranger, abi.encodeCall(vault.acceptTreasury, ())); // once for each invitation
        _denied(treasury, abi.encodeCall(vault.acceptTreasury, ()));
        _denied(treasury, abi.encodeCall(vault.sweep, (0)));
    }

    function test_thePauserDismissesHotKeysOnly() public {
        bytes32[3] memory hot = [vault.OPERATOR_ROLE(), vault.ATTESTOR_ROLE(), vault.RESOLVER_ROLE()];
        address[3] memory holders = [operator, attestor, resolver];
        for (uint256 i; i < hot.length; ++i) {
            _denied(stranger, abi.encodeCall(vault.revokeRole, (hot[i], holders[i])));
            _denied(operator, abi.encodeCall(vault.revokeRole, (hot[i], holders[i])));
            vm.prank(pauser);
            vault.revokeRole(hot[i], holders[i]);
            assert(!vault.hasRole(hot[i], holders[i]));
            _denied(pauser, abi.encodeCall(vault.grantRole, (hot[i], holders[i])));
            vm.startPrank(admin);
            vault.grantRole(hot[i], holders[i]);
            vault.revokeRole(hot[i], holders[i]);
            vm.stopPrank();
            assert(!vault.hasRole(hot[i], holders[i]));
        }
        _denied(pauser, abi.encodeCall(vault.revokeRole, (bytes32(0), admin)));
        _denied(pauser, abi.encodeCall(vault.revokeRole, (vault.PAUSER_ROLE(), pauser)));
        _denied(operator, abi.encodeCall(vault.fillBatch, (new Fill[](0))));
        _deniedAtSettlement(resolver, abi.encodeCall(settlement.proposeSettlement, (MARKET, ONE, 0)));
    }

    function test_nothingIsMintedBeforeTheCapsAreSet() public {
        SwapVault fresh = new SwapVault(usdc, admin);
        (uint256 mintRoom, uint256 payoutRoom, uint256 settlementRoom) = fresh.rooms();
        _eq(mintRoom + payoutRoom + settlementRoom, 0, "rooms");
    }

    function test_sweepTakesOnlyWhatIsTheServices() public {
        _acquire(address(account), MARKET, 0, 5e6);
        Order memory o = _buy(address(otherAccount), 1e6, 1e6);
        _request(o);
        vm.prank(stranger);
        vm.expectRevert(SwapVault.NotTreasuryOrAdmin.selector);
        vault.sweep(1);
        uint256 before = _usdc(treasury);
        vm.prank(admin);
        vault.sweep(2e6);
        vm.prank(treasury);
        vault.sweep(3e6);
        _eq(_usdc(treasury), before + 5e6, "swept");
        vm.prank(treasury);
        vm.expectRevert();
        vault.sweep(1);
        _eq(_usdc(address(vault)), 1e6, "escrow is untouched");
    }

    function test_attestations() public {
        Backing[] memory one = _backing(yes, type(uint56).max, ONE);
        vm.recordLogs();
        vm.prank(attestor);
        vault.attestBacking(one);
        Vm.Log memory log = vm.getRecordedLogs()[0];
        assert(log.topics[0] == SwapVault.BackingAttested.selector && log.topics[1] == bytes32(yes));
        assert(keccak256(log.data) == keccak256(abi.encode(type(uint56).max, ONE)));
        (uint56 supply, uint56 minted, uint56 bought, uint32 until, uint24 floor,,) = vault.tokens(yes);
        assert(supply == 0 && minted == 0 && bought == type(uint56).max && floor == ONE);
        _eq(until, START + 15 minutes, "good until");
        // an age that no attestation could be stored with is no age
        vm.prank(admin);
        vault.setTimings(0, type(uint32).max);
        vm.prank(attestor);
        vm.expectRevert(
            abi.encodeWithSelector(
                SafeCast.SafeCastOverflowedUintDowncast.selector, 32, START + type(uint32).max
            )
        );
        vault.attestBacking(one);
    }

    function test_tokenIds() public view {
        bytes32 expected = keccak256(abi.encode(keccak256("kalshi"), MARKET, uint8(1)));
        _eq(vault.tokenIdOf(MARKET, 1), uint256(expected), "id");
    }

    function test_outcomeToken() public {
        assert(token.vault() == address(vault) && token.decimals() == 6);
        assert(bytes(token.name()).length > 0 && bytes(token.symbol()).length > 0);
        assert(keccak256(bytes(token.uri(yes))) == keccak256("https://crossbook.example/v1/tokens/{id}"));
        vm.startPrank(admin);
        vm.expectRevert(OutcomeToken.OnlyVault.selector);
        token.mint(admin, yes, 1);
        vm.expectRevert(OutcomeToken.OnlyVault.selector);
        token.burnFrom(admin, yes, 1);
        vm.recordLogs();
        token.setUriBase("https://other.example");
        vm.stopPrank();
        Vm.Log memory changed = vm.getRecordedLogs()[0];
        assert(keccak256(changed.data) == keccak256(abi.encode("https://other.example")));
        assert(keccak256(bytes(token.uri(yes))) == keccak256("https://other.example/v1/tokens/{id}"));
        address[3] memory callers = [operator, stranger, address(vault)];
        for (uint256 i; i < callers.length; ++i) {
            vm.prank(callers[i]);
            vm.expectRevert(OutcomeToken.OnlyAdmin.selector);
            token.setUriBase("x");
        }
        assert(token.isApprovedForAll(owner, address(vault)));
        assert(!token.isApprovedForAll(owner, operator));
    }

    function test_holdersTradeFreely() public {
        _acquire(stranger, MARKET, 0, 2e6);
        vm.prank(operator);
        vm.expectRevert();
        token.safeTransferFrom(stranger, operator, yes, 1e6, "");
        vm.prank(stranger);
        token.setApprovalForAll(other, true);
        vm.prank(other);
        token.safeTransferFrom(stranger, other, yes, 1e6, "");
        _eq(token.balanceOf(other, yes), 1e6, "moved");
    }
}
