// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LeakyBucket} from "../src/LeakyBucket.sol";
import {Backing, Fill, Order} from "../src/SwapTypes.sol";
import {Settlement} from "../src/Settlement.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {Vm} from "./Vm.sol";
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

/// A thief who does whatever the stolen keys allow, in any order, while honest purchases go on.
contract Thief {
    uint256 private constant ONE = 1e6;
    Vm private constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    struct Keys {
        address operator; // the thief's, or an honest one's
        address resolver;
        address attestor;
        address guardian;
        bool hasOperator;
        bool hasResolver;
    }

    SwapVault private immutable vault;
    Settlement private immutable settlement;
    Keys private keys;
    bytes32[] private markets;
    uint128 private salts;

    /// Contracts bought at the exchange while the keys are stolen, all at 40 cents.
    uint256 public bought;
    mapping(uint256 tokenId => uint256) private boughtOf;
    mapping(bytes32 market => uint256) public proposedAt;
    string public violation;
    mapping(bytes32 => uint256) public calls;

    constructor(SwapVault vault_, Keys memory keys_, bytes32[] memory markets_) {
        (vault, settlement, keys, markets) = (vault_, vault_.settlement(), keys_, markets_);
    }

    /// What the thief may reach before its delivery does.
    function honestPurchase(uint256 which, uint128 quantity) external {
        uint256 tokenId = vault.tokenIdOf(_market(which), uint8((which >> 8) % 2));
        quantity = 1 + (quantity % 50e6);
        (, uint56 minted,,,,,) = vault.tokens(tokenId);
        if (boughtOf[tokenId] < minted) boughtOf[tokenId] = minted; // bought before
        bought += quantity;
        boughtOf[tokenId] += quantity;
        Backing[] memory one = new Backing[](1);
        one[0] = Backing(tokenId, uint56(boughtOf[tokenId]), 400_000);
        vm.prank(keys.attestor);
        vault.attestBacking(one);
    }

    function mint(uint256 which, uint128 quantity, uint128 quote) external {
        if (!keys.hasOperator) return;
        quantity = 1 + (quantity % 60e6);
        if (which % 3 == 0) quote %= 2; // for nothing, if that were possible
        else if (which % 3 == 1) quote = (quantity * 2 + 4) / 5; // for what it cost
        else quote = uint128(quote % (uint256(quantity) + 1));
        Order memory o = _order(which, true, quantity, quote == 0 ? 1 : quote);
        vault.usdc().approve(address(vault), o.quoteLimit);
        try vault.request(o) {} catch {
            return;
        }
        if (which % 5 == 0) {
            // a first part at its own price, which the last one does not undo
            vm.prank(keys.operator);
            try vault.fill(Fill(o, uint104(quantity / 2), uint104(quote / 3), false)) {
                ++calls["part"];
            } catch {}
        }
        vm.prank(keys.operator);
        try vault.fill(Fill(o, uint104(quantity), uint104(quote), true)) {
            ++calls["mint"];
        } catch {
            vm.prank(keys.operator);
            vault.refund(o);
        }
    }

    function sell(uint256 which, uint128 quantity, uint128 quote) external {
        uint256 balance = _balance(which);
        if (balance == 0 || !keys.hasOperator) return;
        quantity = uint128(1 + (quantity % balance));
        quote = which % 4 > 0 ? quantity : uint128(quote % (uint256(quantity) + 1));
        Order memory o = _order(which, false, quantity, 0);
        try vault.request(o) {} catch {
            return;
        }
        vm.prank(keys.operator);
        try vault.fill(Fill(o, uint104(quantity), uint104(quote), true)) {
            ++calls["sell"];
        } catch {
            vm.prank(keys.operator);
            vault.refund(o);
        }
    }

    function proposeFalsely(uint256 which, bool yesWins, bool isInvented) external {
        if (!keys.hasResolver || which % 4 != 0) return; // markets live a while
        bytes32 market = isInvented ? keccak256(abi.encode(which)) : _market(which >> 2);
        vm.prank(keys.resolver);
        try settlement.proposeSettlement(market, yesWins ? ONE : 0, yesWins ? 0 : ONE) {
            if (isInvented) violation = "an invented market was proposed";
            proposedAt[market] = vm.getBlockTimestamp();
            ++calls["propose"];
        } catch {}
    }

    /// As the resolver, as anybody, and as an operator if that key is the thief's: an honest one
    /// compares a proposal with the exchange's result.
    function finalize(uint256 which, uint256 who) external {
        bytes32 market = _market(which);
        address caller = who % 3 == 0 ? keys.resolver : who % 3 == 1 || !keys.hasOperator ? address(this) : keys.operator;
        vm.prank(caller);
        try settlement.finalizeSettlement(market) {
            if (caller != keys.operator) violation = "settled by another than an operator";
            ++calls["finalize"];
        } catch {}
    }

    function redeem(uint256 which) external {
        try settlement.redeem(address(this), _market(which), uint8((which >> 8) % 2), type(uint256).max) {
            ++calls["redeem"];
        } catch {}
    }

    function merge(uint256 which, uint256 amount) external {
        (uint256 yes, uint256 no) = (_balance(which & 0xff), _balance(which & 0xff | 0x100));
        uint256 pairs = yes < no ? yes : no;
        if (pairs == 0) return;
        try settlement.merge(_market(which & 0xff), 1 + (amount % pairs)) {
            ++calls["merge"];
        } catch {}
    }

    /// Guardians sleep, but not for a week.
    function pass(uint32 time) external {
        vm.warp(vm.getBlockTimestamp() + 1 + (time % (time % 4 == 0 ? 2 days : 10 minutes)));
        for (uint256 i; i < markets.length; ++i) {
            if (proposedAt[markets[i]] == 0 || vm.getBlockTimestamp() < proposedAt[markets[i]] + 3 days) continue;
            proposedAt[markets[i]] = 0;
            vm.prank(keys.guardian);
            try settlement.vetoSettlement(markets[i]) {} catch {}
        }
    }

    function _market(uint256 which) private view returns (bytes32) {
        return markets[which % markets.length];
    }

    function _balance(uint256 which) private view returns (uint256) {
        return vault.outcomeToken().balanceOf(address(this), vault.tokenIdOf(_market(which), uint8((which >> 8) % 2)));
    }

    function _order(uint256 which, bool isBuy, uint128 quantity, uint128 limit) private returns (Order memory) {
        return Order({
            account: address(this),
            receiver: address(this),
            marketKey: _market(which),
            outcome: uint8((which >> 8) % 2),
            isBuy: isBuy,
            quantity: quantity,
            quoteLimit: limit,
            expiry: uint64(vm.getBlockTimestamp() + 10 minutes),
            clientRef: bytes32(0),
            salt: ++salts
        });
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }
}

/// Whatever a thief does with some of the keys, and however often: the gain is at most what the
/// exchange's contracts that wait for their delivery are worth above what they cost.
abstract contract ThiefFixture is Fixture {
    uint256 internal constant STAKE = 10_000e6;
    /// Of each market's YES; the thief came by them honestly.
    uint128 internal constant HELD = 20e6;

    Thief internal thief;

    function _letLoose(bool hasOperator, bool hasResolver) internal {
        string[4] memory names = ["KXTEST-1", "KXTEST-2", "KXTEST-3", "KXTEST-4"];
        bytes32[] memory markets = new bytes32[](4);
        for (uint256 i; i < 4; ++i) {
            vm.prank(attestor);
            markets[i] = settlement.registerMarket(names[i]);
        }
        thief = new Thief(
            vault, Thief.Keys(operator, resolver, attestor, pauser, hasOperator, hasResolver), markets
        );
        for (uint256 i; i < 4; ++i) {
            _attest(markets[i], HELD);
            _acquire(address(thief), markets[i], 0, HELD);
        }
        _fund(address(thief), STAKE);
        vm.startPrank(admin);
        vault.setBuckets(2_000e6, 2_000e6, 2_000e6);
        vault.setTimings(1 hours, 365 days);
        vm.stopPrank();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(thief);
    }

    function _gain() internal view returns (uint256) {
        if (bytes(thief.violation()).length != 0) revert(thief.violation());
        uint256 wealth = _usdc(address(thief));
        return wealth > STAKE ? wealth - STAKE : 0;
    }

    function _drive() internal {
        for (uint256 i; i < 600; ++i) {
            uint256 x = uint256(keccak256(abi.encode(i)));
            (uint128 a, uint128 b) = (uint128(x), uint128(x >> 128));
            uint256 kind = (x >> 100) % 9;
            if (kind < 2) thief.honestPurchase(b, a);
            if (kind == 2) thief.mint(b, a, uint128(x >> 64));
            if (kind == 3) thief.sell(b, a, uint128(x >> 64));
            if (kind == 4) thief.proposeFalsely(b, x & 1 == 0, x & 14 == 0);
            if (kind == 5) thief.finalize(b, a);
            if (kind == 6) thief.redeem(b);
            if (kind == 7) thief.pass(uint32(x));
            if (kind == 8) thief.merge(b, a);
        }
    }

    function _reached(bytes32 name) internal view returns (bool) {
        return thief.calls(name) > 0;
    }
}

contract StolenOperatorInvariantTest is ThiefFixture {
    function setUp() public override {
        super.setUp();
        _letLoose(true, false);
    }

    function test_theThiefReachesWhatTheKeyAllows() external {
        _drive();
        assert(_reached("mint") && _reached("sell") && !_reached("propose"));
        assert(_gain() > 0);
    }

    function invariant_gainsNoMoreThanWhatWaits() external view {
        assert(_gain() <= 4 * HELD + (thief.bought() * 6) / 10);
    }
}

contract StolenResolverInvariantTest is ThiefFixture {
    function setUp() public override {
        super.setUp();
        _letLoose(false, true);
    }

    function test_theThiefReachesWhatTheKeyAllows() external {
        _drive();
        assert(_reached("propose") && !_reached("mint") && !_reached("finalize"));
    }

    function invariant_gainsNothing() external view {
        _eq(_gain(), 0, "gain");
    }
}

contract StolenOperatorAndResolverInvariantTest is ThiefFixture {
    function setUp() public override {
        super.setUp();
        _letLoose(true, true);
    }

    function test_theThiefReachesWhatTheKeysAllow() external {
        _drive();
        assert(_reached("mint") && _reached("sell") && _reached("finalize") && _reached("redeem"));
        assert(_gain() > 0);
    }

    function invariant_gainsNoMoreThanWhatWaits() external view {
        assert(_gain() <= 4 * HELD + (thief.bought() * 6) / 10);
    }
}
