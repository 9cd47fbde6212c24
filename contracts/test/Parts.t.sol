// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SwapVault} from "../src/SwapVault.sol";
import {Fill, Order} from "../src/SwapTypes.sol";
import {Vm} from "./Vm.sol";
import {RestingFixture} from "./RestingFixture.sol";

contract PartsTest is RestingFixture {
    function test_aBuyIsDeliveredInParts() public {
        Order memory o = _restingBuy(10e6, 6e6);
        _fillPart(o, 4e6, 2e6);
        _isAt(o, 1, 0, 4e6, 2e6);
        _eq(token.balanceOf(address(account), yes), 4e6, "the first part");
        _eq(vault.accrued(), 2e6, "paid for it");
        _eq(_usdc(address(vault)), 6e6, "nothing returns before the end");
        _fillPart(o, 5e6, 2_600_000);
        _fill(o, 9e6, 5e6);
        _isAt(o, 2, 0, 9e6, 5e6);
        _eq(token.balanceOf(address(account), yes), 9e6, "all parts");
        _eq(_usdc(address(account)), 10_000e6 - 5e6, "the rest is back");
        _eq(_usdc(address(vault)), 5e6, "vault");
        _eq(vault.accrued(), 5e6, "accrued");
    }

    function test_aSellIsPaidInParts() public {
        Order memory o = _restingSell(10e6, 4e6);
        uint256 before = _usdc(address(account));
        _fillPart(o, 4e6, 2e6);
        _eq(_usdc(address(account)), before + 2e6, "the first proceeds");
        _eq(token.balanceOf(address(vault), yes), 6e6, "escrow");
        _eq(token.totalSupply(yes), 6e6, "supply");
        _fill(o, 9e6, 4_500_000);
        _eq(_usdc(address(account)), before + 4_500_000, "all proceeds");
        _eq(token.balanceOf(address(account), yes), 1e6, "the rest is back");
        _isAt(o, 2, 0, 9e6, 4_500_000);
    }

    function test_eachPartHasItsOwnEvent() public {
        Order memory o = _restingBuy(10e6, 6e6);
        _fillPart(o, 4e6, 2e6);
        vm.recordLogs();
        _fillPart(o, 7e6, 3_700_000);
        Vm.Log memory log = _lastLog();
        assert(log.topics[0] == SwapVault.OrderPartiallyFilled.selector && log.topics[1] == vault.orderIdOf(o));
        assert(log.topics[2] == bytes32(uint256(uint160(o.account))) && log.topics[3] == o.clientRef);
        assert(keccak256(log.data) == keccak256(abi.encode(3e6, 1_700_000, 7e6, 3_700_000)));
        _fill(o, 8e6, 4_200_000);
        log = _lastLog();
        assert(log.topics[0] == SwapVault.OrderFilled.selector);
        assert(keccak256(log.data) == keccak256(abi.encode(8e6, 4_200_000, 1_800_000)));
        Order memory rested = _restingBuy(10e6, 6e6);
        _fillPart(rested, 4e6, 2e6);
        vm.prank(operator);
        vault.refund(rested);
        log = _lastLog();
        assert(log.topics[0] == SwapVault.OrderRefunded.selector);
        assert(keccak256(log.data) == keccak256(abi.encode(4e6)));
    }

    function _lastLog() private returns (Vm.Log memory) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        return logs[logs.length - 1];
    }

    /// A service that repeats a delivery, or sends two in the wrong order, delivers nothing twice.
    function test_repeatedAndReorderedTotalsChangeNothing() public {
        Order memory o = _restingBuy(10e6, 6e6);
        _fillPart(o, 6e6, 3e6);
        _refused(_part(o, 6e6, 3e6), SwapVault.NothingNew.selector);
        _refused(_last(o, 6e6, 3e6), SwapVault.NothingNew.selector);
        _refused(_part(o, 4e6, 2e6), SwapVault.NothingNew.selector);
        _refused(_part(o, 7e6, 3e6 - 1), SwapVault.NothingNew.selector);
        _refused(_part(o, 0, 0), SwapVault.NothingNew.selector);
        _fillPart(o, 7e6, 3e6); // a part may come for nothing
        _fill(o, 10e6, 4_800_000);
        _refused(_last(o, 10e6, 4_800_000), SwapVault.BadStatus.selector);
        _eq(token.balanceOf(address(account), yes), 10e6, "once");
        _eq(_usdc(address(account)), 10_000e6 - 4_800_000, "account");
    }

    function test_theSumStaysWithinQuantityAndLimit() public {
        Order memory b = _restingBuy(10e6, 5e6);
        _fillPart(b, 9e6, 4_500_000);
        _refused(_part(b, 11e6, 5e6 + 1), SwapVault.InputExceeded.selector);
        _fillPart(b, 11e6, 5e6); // sized by its amount: more than its quantity, for no more than its limit
        Order memory s = _restingSell(10e6, 4e6);
        _fillPart(s, 9e6, 4e6);
        _refused(_part(s, 10e6 + 1, 5e6), SwapVault.InputExceeded.selector);
        _fillPart(s, 10e6, 5e6);
        _isAt(s, 1, 0, 10e6, 5e6); // what is wholly filled ends by its refund, or its last fill
        vm.prank(operator);
        vault.refund(s);
        _isAt(s, 3, 0, 10e6, 5e6);
        _eq(token.balanceOf(address(vault), yes), 0, "escrow");
    }

    function test_totalsKeepTheirPriceAndPartsKeepItWithinACent() public {
        Order memory b = _restingBuy(10e6, 5e6);
        _refused(_part(b, 2e6, 1e6 + 1), SwapVault.PriceOutsideLimit.selector);
        _fillPart(b, 2e6, 600_000);
        _refused(_part(b, 4e6, 1_610_001), SwapVault.PriceOutsideLimit.selector); // within the total's price
        _fillPart(b, 4e6, 1_610_000);
        Order memory s = _restingSell(10e6, 5e6);
        _refused(_part(s, 2e6, 1e6 - 1), SwapVault.PriceOutsideLimit.selector);
        _fillPart(s, 2e6, 1_400_000);
        _refused(_part(s, 4e6, 2_390_000 - 1), SwapVault.PriceOutsideLimit.selector);
        _fillPart(s, 4e6, 2_390_000);
    }

    function test_aDollarBoundsEveryPart() public {
        Order memory b = _restingBuy(1e6, 9e6);
        _fillPart(b, 100_000, 100_000);
        _refused(_part(b, 200_000, 250_001), SwapVault.OverOneDollar.selector);
        _fillPart(b, 200_000, 250_000);
        Order memory s = _restingSell(2e6, 1);
        _fillPart(s, 1e6, 100_000);
        _refused(_part(s, 1_100_000, 200_001), SwapVault.OverOneDollar.selector);
        _fillPart(s, 1_100_000, 200_000);
    }

    function test_backingAndFloorBindEveryPart() public {
        _attest(MARKET, 5e6, 400_000);
        Order memory o = _restingBuy(10e6, 6e6);
        _fillPart(o, 4e6, 2_400_000);
        _refusedWith(_part(o, 5e6, 2_799_999), abi.encodeWithSelector(SwapVault.BelowFloor.selector, 400_000));
        _refusedWith(_part(o, 5e6 + 1, 3e6), abi.encodeWithSelector(SwapVault.BackingExceeded.selector, 5e6 + 1, 5e6));
        _fillPart(o, 5e6, 2_800_000);
        (uint56 supply, uint56 minted,,,,,) = vault.tokens(yes);
        assert(supply == 5e6 && minted == 5e6);
        vm.warp(START + 15 minutes + 1);
        _refusedWith(_part(o, 6e6, 3e6), abi.encodeWithSelector(SwapVault.BackingStale.selector, START + 15 minutes));
    }

    function _refusedWith(Fill memory f, bytes memory reason) private {
        vm.prank(operator);
        vm.expectRevert(reason);
        vault.fill(f);
    }

    function test_hourlyCapsCountParts() public {
        Order memory s = _restingSell(20e6, 10e6);
        vm.prank(admin);
        vault.setBuckets(10e6, 10e6, 10e6);
        Order memory b = _restingBuy(20e6, 20e6);
        _fillPart(b, 5e6, 4e6);
        _fillPart(b, 6e6, 5e6);
        _fillPart(s, 4e6, 3e6);
        (uint256 mintRoom, uint256 payoutRoom,) = vault.rooms();
        _eq(mintRoom, 5e6, "5 of 10 charged");
        _eq(payoutRoom, 7e6, "3 of 10 paid");
    }

    function test_aRefundReturnsWhatTheFillsHaveLeft() public {
        Order memory b = _restingBuy(10e6, 6e6);
        _fillPart(b, 4e6, 2e6);
        vm.prank(operator);
        vault.refund(b);
        _isAt(b, 3, 0, 4e6, 2e6);
        _eq(_usdc(address(account)), 10_000e6 - 2e6, "the rest of the buy");
        Order memory s = _restingSell(10e6, 4e6);
        _fillPart(s, 4e6, 2e6);
        vm.warp(s.expiry + 1);
        vm.prank(stranger);
        vault.refund(s);
        _isAt(s, 3, 0, 4e6, 2e6);
        _eq(token.balanceOf(address(account), yes), 4e6 + 6e6, "the rest of the sell");
        _refused(_part(s, 5e6, 3e6), SwapVault.BadStatus.selector);
    }

    /// The exchange rounds each fee up; what the service charges of it, the price allows.
    function test_aThousandSmallPartsStayWithinTheLimit() public {
        Order memory o = _restingBuy(10e6, 5_073_000);
        for (uint256 i = 1; i <= 1_000; ++i) {
            uint256 spent = i * 15_000; // half a cent a hundredth, and a cent of fee
            uint256 allowed = (5_073_000 * i) / 1_000;
            _fillPart(o, uint128(i * 10_000), uint128(spent < allowed ? spent : allowed));
        }
        _eq(token.balanceOf(address(account), yes), 10e6, "all of it");
        _isAt(o, 1, 0, 10e6, 5_073_000);
        _refused(_part(o, 10_010_000, 5_073_001), SwapVault.InputExceeded.selector);
    }

    function test_aPauseHoldsParts() public {
        Order memory o = _restingBuy(10e6, 6e6);
        _fillPart(o, 1e6, 600_000);
        vm.prank(pauser);
        vault.pause();
        _refused(_part(o, 2e6, 1_200_000), SwapVault.VaultPaused.selector);
        _requestEnd(o);
        vm.warp(START + 30 minutes + 1);
        vault.refund(o);
        _eq(_usdc(address(account)), 10_000e6 - 600_000, "the rest leaves all the same");
    }

    function test_settlementEndsTheParts() public {
        Order memory o = _restingBuy(10e6, 6e6);
        _fillPart(o, 4e6, 2e6);
        _settle(MARKET, ONE, 0);
        _refused(_part(o, 5e6, 3e6), SwapVault.MarketSettled.selector);
        vm.prank(operator);
        vault.refund(o);
        settlement.redeem(address(account), MARKET, 0, type(uint256).max);
        _eq(_usdc(address(account)), 10_000e6 - 2e6 + 4e6, "account");
    }

    function test_aBlockedReceiverIsCreditedForEachPart() public {
        Order memory s = _restingSell(10e6, 4e6);
        vm.prank(admin);
        usdc.blacklist(address(account));
        _fillPart(s, 4e6, 2e6);
        _fillPart(s, 6e6, 3e6);
        _eq(vault.claimable(address(account)), 3e6, "both parts");
        vm.prank(admin);
        usdc.unBlacklist(address(account));
        _fill(s, 8e6, 4e6);
        _eq(vault.claimable(address(account)), 3e6, "the last one arrived");
        uint256 before = _usdc(address(account));
        vault.claim(address(account));
        _eq(_usdc(address(account)), before + 3e6, "claimed");
    }

    function test_aBatchBooksEveryPartOnce() public {
        Order memory o = _restingBuy(10e6, 6e6);
        Fill[] memory fills = new Fill[](4);
        fills[0] = _part(o, 4e6, 2e6);
        fills[1] = _part(o, 4e6, 2e6); // repeated
        fills[2] = _last(o, 10e6, 5e6);
        fills[3] = _part(o, 3e6, 1e6); // late
        vm.recordLogs();
        vm.prank(operator);
        vault.fillBatch(fills);
        _isAt(o, 2, 0, 10e6, 5e6);
        _eq(token.balanceOf(address(account), yes), 10e6, "tokens");
        uint256 failures;
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) if (logs[i].topics[0] == SwapVault.FillFailed.selector) ++failures;
        _eq(failures, 2, "refused");
    }

    function test_onlyTheOrdersOwnTermsCount() public {
        Order memory o = _restingBuy(10e6, 6e6);
        Order memory forged = o;
        forged.quoteLimit = 9e6;
        _refused(_part(forged, 1e6, 900_000), SwapVault.BadStatus.selector);
    }

    /// Whatever parts an order is filled in: each price is kept, and nothing is made or lost.
    function testFuzz_partsConserve(bool isBuy, uint128 quantity, uint128 limit, uint256 seed) public {
        quantity = uint128(1 + (quantity % 9_000e6));
        limit = uint128(1 + (limit % (isBuy ? 9_000e6 : quantity)));
        Order memory o = isBuy ? _restingBuy(quantity, limit) : _restingSell(quantity, limit);
        uint256 cash = _usdc(address(account));
        uint128 filled;
        uint128 quote;
        for (uint256 i; i < 12; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint128 to = filled + uint128(seed % (quantity / 4 + 2));
            uint128 price = uint128((uint256(limit) * to) / quantity);
            uint128 quoteTo = seed % 3 == 0 ? price + uint128((seed >> 64) % 20_000) : price + uint128((seed >> 64) % 2);
            vm.prank(operator);
            try vault.fill(_part(o, to, quoteTo)) {
                assert(to > filled && quoteTo >= quote);
                uint256 atLimit = uint256(limit) * to;
                assert(isBuy ? uint256(quoteTo) * quantity <= atLimit : uint256(quoteTo) * quantity >= atLimit);
                uint256 partAtLimit = uint256(limit) * (to - filled);
                uint256 part = uint256(quoteTo - quote);
                assert(isBuy ? part * quantity <= partAtLimit + 10_000 * uint256(quantity)
                             : (part + 10_000) * quantity >= partAtLimit);
                (filled, quote) = (to, quoteTo);
            } catch {}
            _isAt(o, 1, 0, filled, quote);
        }
        if (!isBuy) assert(filled <= quantity);
        vm.prank(operator);
        vault.refund(o);
        if (isBuy) {
            assert(quote <= limit);
            _eq(_usdc(address(account)), cash + limit - quote, "refund plus fills is the input");
            _eq(token.balanceOf(address(account), yes), filled, "delivered");
        } else {
            _eq(_usdc(address(account)), cash + quote, "proceeds");
            _eq(token.balanceOf(address(account), yes), quantity - filled, "refund plus fills is the input");
        }
        _eq(token.balanceOf(address(vault), yes), 0, "no escrow is left");
        _eq(_usdc(address(vault)), vault.accrued(), "the vault keeps the service's only");
    }
}
