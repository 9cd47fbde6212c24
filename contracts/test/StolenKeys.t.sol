// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LeakyBucket} from "../src/LeakyBucket.sol";
import {Backing, Order} from "../src/SwapTypes.sol";
import {Settlement} from "../src/Settlement.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {Fixture} from "./Fixture.sol";

/// Three hundred contracts were bought at 40 cents and wait for their delivery when keys are stolen.
abstract contract StolenKeysFixture is Fixture {
    uint128 internal constant UNDELIVERED = 300e6;
    uint256 internal constant FLOOR = 400_000;
    /// What they cost.
    uint128 internal constant COST = 120e6;

    address internal thief = address(0x7417EF);
    bytes32 internal operatorRole;

    function setUp() public virtual override {
        super.setUp();
        operatorRole = vault.OPERATOR_ROLE();
        _attest(MARKET, UNDELIVERED, FLOOR);
        vm.startPrank(admin);
        vault.setBuckets(1_000e6, 500e6, 200e6);
        vault.grantRole(operatorRole, thief);
        vm.stopPrank();
        _fund(thief, 1_000e6);
        vm.prank(thief);
        usdc.approve(address(vault), type(uint256).max);
    }

    /// The error that stopped it; empty when it went through.
    function _mintToThief(uint128 quantity, uint128 quote) internal returns (bytes memory error) {
        Order memory o = _buy(thief, quantity, quote == 0 ? 1 : quote);
        vm.startPrank(thief);
        vault.request(o);
        bool ok;
        (ok, error) = address(vault).call(abi.encodeCall(vault.fill, (_last(o, quantity, quote))));
        if (ok) error = "";
        else vault.refund(o);
        vm.stopPrank();
    }

    function _sellOfThief(uint128 quantity, uint128 quote) internal {
        Order memory o = _sell(thief, quantity, 1);
        vm.startPrank(thief);
        vault.request(o);
        vault.fill(_last(o, quantity, quote));
        vm.stopPrank();
    }

    function _is(bytes memory error, bytes memory expected) internal pure {
        if (keccak256(error) != keccak256(expected)) revert(string(error));
    }
}

contract StolenOperatorTest is StolenKeysFixture {
    function setUp() public override {
        super.setUp();
        _grantDefault();
    }

    function test_mintsOnlyWhatWaitsForDeliveryAndAtWhatItCost() public {
        bytes memory below = abi.encodeWithSelector(SwapVault.BelowFloor.selector, FLOOR);
        _is(_mintToThief(UNDELIVERED, 0), below);
        _is(_mintToThief(UNDELIVERED, COST - 1), below);
        uint256 over = UNDELIVERED + 1;
        _is(
            _mintToThief(UNDELIVERED + 1, COST + 1),
            abi.encodeWithSelector(SwapVault.BackingExceeded.selector, over, UNDELIVERED)
        );
        _is(_mintToThief(UNDELIVERED, COST), "");
        _is(_mintToThief(1, 1), abi.encodeWithSelector(SwapVault.BackingExceeded.selector, over, UNDELIVERED));
    }

    /// Mint for a micro-dollar, sell at a dollar, repeatedly: never for less than was paid, and once.
    function test_mintingForNothingAndSellingAtADollarIsOver() public {
        for (uint256 round; round < 5; ++round) {
            bool isRefused = _mintToThief(UNDELIVERED, 1).length > 0;
            assert(isRefused);
            isRefused = _mintToThief(UNDELIVERED, COST).length > 0;
            assert(isRefused == (round > 0));
            if (!isRefused) _sellOfThief(UNDELIVERED, UNDELIVERED);
            vm.warp(vm.getBlockTimestamp() + 2 minutes); // the hourly caps leak, and do not help
        }
        _eq(_usdc(thief), 1_000e6 + UNDELIVERED - COST, "what waited for its delivery, at what it cost");
        _eq(token.totalSupply(yes), 0, "supply");
    }

    function test_overpayingItselfOnlyWithinTheHourAndADollar() public {
        _attest(MARKET, 900e6, ONE);
        _acquire(thief, MARKET, 0, 900e6);
        Order memory o = _sell(thief, 900e6, 1);
        vm.startPrank(thief);
        vault.request(o);
        vm.expectRevert(SwapVault.OverOneDollar.selector);
        vault.fill(_last(o, 100e6, 100e6 + 1));
        vm.expectRevert(abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 500e6 + 1, 500e6));
        vault.fill(_last(o, 900e6, 500e6 + 1));
        vault.fill(_last(o, 900e6, 500e6));
        vm.stopPrank();
        _eq(_usdc(thief), 1_500e6, "an hour's payouts at most");
    }

    function test_accountsLoseAtMostTheDailyCap() public {
        vm.startPrank(thief);
        account.operatorWithdraw(address(usdc), 0, 1_000e6, thief, bytes32("a"));
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.OverWithdrawCap.selector, 1, 0));
        account.operatorWithdraw(address(usdc), 0, 1, thief, bytes32("b"));
        vm.stopPrank();
        Order memory o = _buy(address(account), 1e6, 1e6);
        o.receiver = thief;
        vm.prank(thief);
        assert(!vault.requestFor(_one(o), _unsigned(1))[0]);
    }

    function test_ordersOfAccountsStayWithinTheirCaps() public {
        Order memory over = _buy(address(account), 9_000e6, 5_000e6 + 1);
        Order memory one = _buy(address(account), 1e6, 5_000e6);
        Order memory two = _buy(address(account), 9_000e6, 3_000e6);
        Order memory three = _buy(address(account), 1, 1);
        vm.startPrank(thief);
        assert(!vault.requestFor(_one(over), _unsigned(1))[0]);
        assert(vault.requestFor(_one(one), _unsigned(1))[0] && vault.requestFor(_one(two), _unsigned(1))[0]);
        assert(!vault.requestFor(_one(three), _unsigned(1))[0]);
        // none is filled at more than a dollar for a contract
        vm.expectRevert(SwapVault.OverOneDollar.selector);
        vault.fill(_last(one, 1e6, 1_050_001));
        vault.refund(one);
        vault.refund(two);
        vm.stopPrank();
        _eq(_usdc(address(account)), 10_000e6, "account");
        _eq(_usdc(thief), 1_000e6, "thief");
    }

    /// A reference that the thief used up costs the owner another signature, no more.
    function test_aUsedUpReferenceIsSignedAnew() public {
        Withdrawal memory w =
            Withdrawal(address(usdc), 0, 9_000e6, stranger, bytes32("mine"), vm.getBlockTimestamp() + 60);
        bytes memory signature = _sign(OWNER_KEY, _withdrawalDigest(address(account), w));
        vm.prank(thief);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("mine"));
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.RefUsed.selector, bytes32("mine")));
        account.withdrawWithSig(w, signature);
        w.ref = bytes32("again");
        account.withdrawWithSig(w, _sign(OWNER_KEY, _withdrawalDigest(address(account), w)));
        _eq(_usdc(stranger), 9_000e6, "withdrawn");
    }

    function test_theRoleEndsEverything() public {
        vm.prank(admin);
        vault.revokeRole(operatorRole, thief);
        Order memory o = _buy(address(account), 1e6, 1e6);
        vm.startPrank(thief);
        vm.expectRevert();
        vault.requestFor(_one(o), _unsigned(1));
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("a"));
        vm.stopPrank();
    }

    function test_escrowsCannotBeRedirected() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        _request(o);
        Order memory forged = o;
        forged.receiver = thief;
        vm.startPrank(thief);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BadStatus.selector, 0));
        vault.fill(_last(forged, 10e6, 6e6));
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BadStatus.selector, 0));
        vault.refund(forged);
        vm.expectRevert(SwapVault.NotTreasuryOrAdmin.selector);
        vault.sweep(1);
        vm.stopPrank();
    }

    function test_settlementNeedsAnotherKey() public {
        vm.startPrank(thief);
        vm.expectRevert();
        settlement.proposeSettlement(MARKET, ONE, 0);
        vm.expectRevert();
        vault.acceptTreasury();
        Backing[] memory one = _backing(yes, type(uint56).max, 0);
        vm.expectRevert();
        vault.attestBacking(one);
        vm.expectRevert();
        settlement.registerMarket("KXINVENTED");
        vm.stopPrank();
    }

    /// Who requests for an account writes the order's limits too: they bind it no more than the grant
    /// and the hourly caps do. What the account loses stays with the service; the thief cannot take
    /// the other side, since a sale makes no room for a mint.
    function test_badTradesOfAccountsEnrichNoThief() public {
        vm.startPrank(thief);
        Order memory dear = _buy(address(account), UNDELIVERED, UNDELIVERED);
        assert(vault.requestFor(_one(dear), _unsigned(1))[0]);
        vault.fill(_last(dear, UNDELIVERED, UNDELIVERED)); // a dollar for what cost 40 cents
        Order memory sale = _sell(address(account), UNDELIVERED, 0);
        assert(vault.requestFor(_one(sale), _unsigned(1))[0]);
        vault.fill(_last(sale, UNDELIVERED, 0)); // and back for nothing
        vm.stopPrank();
        bool isRefused = _mintToThief(1, 1).length > 0;
        assert(isRefused);
        dear = _buy(address(account), 1e6, 1e6);
        vm.prank(thief);
        assert(vault.requestFor(_one(dear), _unsigned(1))[0]);
        vm.prank(pauser);
        vault.revokeRole(operatorRole, thief);
        vm.prank(thief);
        vm.expectRevert();
        vault.fill(_last(dear, 1e6, 1e6));
        vm.prank(operator);
        vault.refund(dear);
        _eq(_usdc(thief), 1_000e6, "thief");
        _eq(_usdc(address(account)), 10_000e6 - UNDELIVERED, "account");
        _eq(vault.accrued(), UNDELIVERED, "what the account has lost");
        _eq(_usdc(treasury), 1_000_000e6, "treasury");
    }

    function test_sittingOnOrdersEndsHalfAnHourAfterTheOwnerAsks() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        o.expiry = uint64(START + 90 days);
        _request(o);
        vm.prank(pauser);
        vault.pause();
        vm.prank(address(account));
        vault.requestEnd(o);
        vm.warp(START + 30 minutes + 1);
        vm.prank(admin);
        vault.unpause();
        vm.startPrank(thief);
        vm.expectRevert(SwapVault.OrderExpired.selector);
        vault.fill(_last(o, 10e6, 6e6));
        vm.stopPrank();
        vm.prank(stranger);
        vault.refund(o);
        _eq(_usdc(address(account)), 10_000e6, "account");
    }

    /// An early end returns exactly what the delivered parts have left: nothing delivered is taken back.
    function test_anEarlyEndSplitsAsTheDeliveriesDid() public {
        Order memory o = _buy(address(account), 200e6, 100e6);
        _request(o);
        vm.startPrank(thief);
        vault.fill(_part(o, 100e6, 50e6));
        vm.expectRevert(SwapVault.NothingNew.selector);
        vault.fill(_last(o, 50e6, 50e6));
        vm.expectRevert(SwapVault.NothingNew.selector);
        vault.fill(_last(o, 100e6, 100e6));
        vault.refund(o);
        vm.stopPrank();
        _eq(_usdc(address(account)), 10_000e6 - 50e6, "the rest");
        _eq(token.balanceOf(address(account), yes), 100e6, "what was delivered");
    }

    /// Totals in the order's price do not allow a part beyond it: a cheap part does not pay for a dear one.
    function test_aCheapPartDoesNotPayForADearOne() public {
        Order memory o = _buy(address(account), 200e6, 100e6);
        _request(o);
        vm.startPrank(thief);
        vault.fill(_part(o, 100e6, 40e6));
        vm.expectRevert(SwapVault.PriceOutsideLimit.selector);
        vault.fill(_part(o, 200e6, 100e6));
        vm.expectRevert(SwapVault.PriceOutsideLimit.selector);
        vault.fill(_part(o, 200e6, 90_010_001));
        vault.fill(_part(o, 200e6, 90_010_000));
        vm.stopPrank();
    }

    function test_sittingOnOrdersEndsAtTheirExpiry() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        _request(o);
        vm.prank(pauser);
        vault.pause(); // and a stolen pauser does not help either
        vm.warp(o.expiry + 1);
        vm.prank(owner);
        vault.refund(o);
        _eq(_usdc(address(account)), 10_000e6, "account");
    }
}

contract StolenResolverTest is StolenKeysFixture {
    /// It proposes what it likes, and nothing is paid: another key has to execute it.
    function test_proposesAndExecutesNothing() public {
        _acquire(thief, MARKET, 0, 10e6);
        vm.startPrank(resolver);
        vm.expectRevert(Settlement.MarketNotRegistered.selector);
        settlement.proposeSettlement(keccak256("KXINVENTED"), ONE, 0);
        settlement.proposeSettlement(MARKET, ONE, 0);
        vm.warp(START + 1 hours + 7 days - 1);
        vm.expectRevert(Settlement.ProposerCannotFinalize.selector);
        settlement.finalizeSettlement(MARKET);
        vm.stopPrank();
        vm.prank(stranger);
        vm.expectRevert();
        settlement.finalizeSettlement(MARKET);
        vm.prank(pauser);
        settlement.vetoSettlement(MARKET);
        vm.warp(START + 30 days);
        vm.expectRevert(Settlement.NoSettlementProposed.selector);
        _finalize(MARKET);
        vm.expectRevert(SwapVault.MarketNotSettled.selector);
        settlement.redeem(thief, MARKET, 0, 10e6);
    }

    /// With an operator's key too: no invented market, no token for less than it cost, an hour's
    /// settlements; and a veto in time ends it.
    function test_withAnOperatorsKeyTakesAnHoursSettlements() public {
        _is(_mintToThief(150e6, 60e6), "");
        vm.startPrank(resolver);
        vm.expectRevert(Settlement.MarketNotRegistered.selector);
        settlement.proposeSettlement(keccak256("KXINVENTED"), ONE, 0);
        settlement.proposeSettlement(MARKET, ONE, 0);
        vm.stopPrank();
        _is(_mintToThief(100e6, 40e6), ""); // 250 in all
        vm.warp(START + 1 hours);
        vm.prank(thief);
        vm.expectRevert(abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 250e6, 200e6));
        settlement.finalizeSettlement(MARKET);
        _sellOfThief(50e6, 50e6);
        vm.prank(thief);
        settlement.finalizeSettlement(MARKET);
        settlement.redeem(thief, MARKET, 0, type(uint256).max);
        _eq(_usdc(thief), 1_000e6 + 250e6 - 100e6, "no more than 60 cents a contract of what waited");
    }
}

contract StolenAttestorTest is StolenKeysFixture {
    function test_aloneItMovesNothing() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        Backing[] memory none = _backing(yes, 0, ONE);
        vm.startPrank(attestor);
        settlement.registerMarket("KXINVENTED");
        vm.expectRevert();
        settlement.proposeSettlement(keccak256("KXINVENTED"), ONE, 0);
        vm.expectRevert();
        vault.fill(_last(o, 1e6, 1e6));
        vault.attestBacking(none);
        vm.stopPrank();
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BackingExceeded.selector, 1e6, 0));
        vault.fill(_last(o, 1e6, 1e6));
        vm.prank(operator);
        vault.refund(o);
        _eq(_usdc(address(account)), 10_000e6, "account");
    }

    /// With an operator's key: tokens for nothing, which the vault buys within an hour's payouts.
    function test_withAnOperatorsKeyTakesAnHoursPayouts() public {
        Backing[] memory all = _backing(yes, type(uint56).max, 0);
        vm.prank(attestor);
        vault.attestBacking(all);
        _is(_mintToThief(1_000_000e6, 0), "");
        Order memory o = _sell(thief, 1_000_000e6, 1);
        vm.startPrank(thief);
        vault.request(o);
        vm.expectRevert(abi.encodeWithSelector(LeakyBucket.BucketOverflow.selector, 500e6 + 1, 500e6));
        vault.fill(_last(o, 1_000_000e6, 500e6 + 1));
        vault.fill(_last(o, 1_000_000e6, 500e6));
        vm.stopPrank();
        _eq(_usdc(thief), 1_500e6, "thief");
    }
}
