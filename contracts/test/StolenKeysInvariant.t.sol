// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Backing, Fill, Order} from "../src/SwapTypes.sol";
import {Settlement} from "../src/Settlement.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Vm} from "./Vm.sol";
import {Fixture} from "./Fixture.sol";

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
