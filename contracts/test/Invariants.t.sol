// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Settlement} from "../src/Settlement.sol";
import {Order} from "../src/SwapTypes.sol";
import {Batch} from "../src/SignedBatch.sol";
import {Grant, TradingAccount} from "../src/TradingAccount.sol";
import {Fixture} from "./Fixture.sol";
import {Handler, Signing} from "./Handler.sol";

contract InvariantTest is Fixture, Signing {
    Handler private handler;
    address[] private traders;
    bytes32[] private marketKeys;

    uint256 private constant INITIAL = 50_000e6;
    uint256 private constant SESSION_KEY = 0x5E55;

    function setUp() public override {
        super.setUp();
        traders = [address(account), address(otherAccount), address(0x7AD)];
        // four markets, so that some are still open when others have long been settled
        marketKeys = [MARKET, OTHER_MARKET, keccak256("KXTEST-3"), keccak256("KXTEST-4")];
        for (uint256 i; i < 2; ++i) {
            TradingAccount a = TradingAccount(payable(traders[i]));
            Grant memory g = _defaultGrant(a);
            g.validUntil = uint48(START + 3650 days);
            (g.maxPerOrder, g.maxPerDay, g.maxWithdrawPerDay) = (1_000e6, 3_000e6, 500e6);
            if (i == 1) (g.withdrawAnywhere, g.keyKind, g.key) = (false, 2, bytes32(uint256(uint160(vm.addr(SESSION_KEY)))));
            _grant(a, i == 0 ? OWNER_KEY : OTHER_KEY, g);
        }
        for (uint256 i; i < 3; ++i) _fund(traders[i], INITIAL - _usdc(traders[i]));
        for (uint256 i; i < 4; ++i) _attest(marketKeys[i], 50_000e6);
        vm.prank(attestor);
        settlement.registerMarket("KXTEST-3");
        address both = address(0xB07);
        (bytes32 operatorRole, bytes32 resolverRole) = (vault.OPERATOR_ROLE(), vault.RESOLVER_ROLE());
        vm.startPrank(admin);
        vault.grantRole(operatorRole, both);
        vault.grantRole(resolverRole, both);
        vault.setBuckets(4_000e6, 3_000e6, 3_000e6);
        vault.setTimings(10 minutes, 15 minutes);
        vm.stopPrank();
        handler = new Handler(
            Handler.Setup({
                vault: vault,
                usdc: usdc,
                admin: admin,
                operator: operator,
                both: both,
                attestor: attestor,
                resolver: resolver,
                pauser: pauser,
                treasury: treasury,
                traders: traders,
                markets: marketKeys,
                caps: [uint256(4_000e6), 3_000e6, 3_000e6],
                ownerKeys: [OWNER_KEY, OTHER_KEY],
                sessionKey: SESSION_KEY,
                signing: this
            })
        );
    }

    function digestOf(address a, Batch memory b) external view returns (bytes32) {
        return _batchDigest(a, b);
    }

    function signOrder(uint256 key, Order memory o) external view returns (bytes memory) {
        return _sign(key, _orderDigest(o));
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// The invariants mean something only if the handler gets everywhere. Draws as the fuzzer does.
    function test_theHandlerReachesEverything() external {
        for (uint256 i; i < 900; ++i) {
            uint256 x = uint256(keccak256(abi.encode(i)));
            (uint128 a, uint128 b) = (uint128(x), uint128(x >> 128));
            uint256 kind = (x >> 100) % 23;
            if (kind == 0) handler.request(a, b, x & 1 == 0, a, b);
            if (kind == 1) handler.requestFor(a, b, x & 2 == 0, a, b);
            if (kind == 2) handler.fill(b, a, b, x & 1 == 0);
            if (kind == 3) handler.fillHonestly(b, a);
            if (kind == 4) handler.refund(b, x & 1 == 0, x & 2 == 0);
            if (kind == 5) handler.propose(b, a, a);
            if (kind == 6) handler.veto(b);
            if (kind == 7) handler.finalize(b, a);
            if (kind == 8) handler.redeem(b, a, uint8(x >> 9), x >> 7, x & 1 == 0);
            if (kind == 9) handler.withdraw(b, a, x & 1 == 0, x & 2 == 0, a);
            if (kind == 10) handler.attest(b, a, x);
            if (kind == 11) handler.pause(b);
            if (kind == 12) handler.blockTrader(b);
            if (kind == 13) handler.claim(b);
            if (kind == 14) handler.sweep(uint64(a));
            if (kind == 15) handler.pass(uint32(x));
            if (kind == 17) handler.trade(a, b, x & 1 == 0, a, b);
            if (kind == 16) handler.passWithAttestation(uint32(x));
            if (kind == 18) handler.register(b);
            if (kind == 19) handler.requestEnd(b, a);
            if (kind == 20) handler.batch(b, a);
            if (kind > 20) handler.merge(b, a, uint128(x >> 64));
        }
        bytes32[12] memory names = [
            bytes32("request"), "signed order", "fill", "part", "refund", "refund of a rest", "requestEnd", "finalize", "redeem", "withdraw", "batch", "merge"
        ];
        for (uint256 i; i < names.length; ++i) {
            if (handler.calls(names[i]) == 0) revert(string(abi.encodePacked("never reached: ", names[i])));
        }
    }

    /// I1: the vault's USDC is exactly what it owes and what the service earned, the settlement's exactly
    /// what settled markets owe.
    function invariant_I1_usdcIsAccountedFor() external view {
        uint256 owed = handler.openLimits() + handler.earned();
        uint256 payouts;
        for (uint256 i; i < marketKeys.length; ++i) payouts += handler.collateral(marketKeys[i]);
        for (uint256 i; i < 3; ++i) {
            owed += handler.credit(traders[i]);
            payouts += handler.payoutCredit(traders[i]);
        }
        _eq(_usdc(address(vault)), owed, "vault");
        _eq(_usdc(address(settlement)), payouts, "settlement");
        _eq(vault.accrued(), handler.earned(), "accrued");
        int256 outflow = handler.drawn();
        assert(int256(_usdc(treasury)) == int256(1_000_000e6) - outflow);
    }

    /// I2: supply is what was filled minus what was burned, and escrowed tokens are there.
    function invariant_I2_supplyIsFillsMinusBurns() external view {
        for (uint256 i; i < marketKeys.length * 2; ++i) {
            uint256 id = vault.tokenIdOf(marketKeys[i / 2], uint8(i % 2));
            _eq(token.totalSupply(id), handler.minted(id) - handler.burned(id), "supply");
            _eq(token.balanceOf(address(vault), id), handler.openTokens(id), "escrow");
        }
    }

    /// I3, I5, I8, I10 to I12, I16 to I18, the refusals of I6, and liveness, are judged where they happen.
    function invariant_I3_I5_I8_noRuleWasBroken() external view {
        if (bytes(handler.violation()).length != 0) revert(handler.violation());
    }

    /// I4: an order that ended stays as it ended.
    function invariant_I4_endsAreFinal() external view {
        for (uint256 i; i < handler.orderCount(); ++i) {
            bytes32 id = vault.orderIdOf(handler.orderAt(i));
            uint8 status = handler.ended(id);
            _eq(vault.statusOf(id), status == 0 ? 1 : status, "status");
        }
    }

    /// I14: an order's slot says what its fills add up to, and when its account let it end.
    function invariant_I14_progressIsTheSumOfTheFills() external view {
        for (uint256 i; i < handler.orderCount(); ++i) {
            bytes32 id = vault.orderIdOf(handler.orderAt(i));
            (, uint40 endsAt, uint104 filled, uint104 charged) = vault.progressOf(id);
            _eq(filled, handler.filledOf(id), "filled");
            _eq(charged, handler.chargedOf(id), "charged");
            _eq(endsAt, handler.endsAtOf(id), "endsAt");
        }
    }

    /// I6: what a settled market still holds covers every token of it.
    function invariant_I6_settledMarketsAreFunded() external view {
        for (uint256 i; i < marketKeys.length; ++i) {
            bytes32 key = marketKeys[i];
            (uint24 payoutYes, uint24 payoutNo,, Settlement.MarketState state,) = settlement.markets(key);
            if (state != Settlement.MarketState.Settled) continue;
            uint256 value = token.totalSupply(vault.tokenIdOf(key, 0)) * payoutYes
                + token.totalSupply(vault.tokenIdOf(key, 1)) * payoutNo;
            assert(handler.collateral(key) * ONE >= value);
        }
    }

    /// I7, I9 and I15: whatever has happened, paused or not, every open order ends by anyone's hand one
    /// second after its expiry, or half an hour after its account asks, and settled tokens are redeemed.
    /// (What an invariant does is undone.)
    function invariant_I7_I9_everythingCanLeave() external {
        if (!vault.paused()) {
            vm.prank(pauser);
            vault.pause();
        }
        uint256 count = handler.orderCount();
        for (uint256 i = count > 6 ? count - 6 : 0; i < count; ++i) {
            Order memory o = handler.orderAt(i);
            bytes32 id = vault.orderIdOf(o);
            if (vault.statusOf(id) != 1) continue;
            uint256 owed = o.isBuy ? o.quoteLimit - handler.chargedOf(id) : o.quantity - handler.filledOf(id);
            uint256 end = handler.endsAtOf(id);
            if (end == 0) {
                vm.prank(o.account);
                vault.requestEnd(o);
                end = vm.getBlockTimestamp() + 30 minutes;
            }
            if (vm.getBlockTimestamp() <= end) vm.warp(end + 1);
            uint256 before = _wealth(o);
            vm.prank(address(0xA70E));
            vault.refund(o);
            _eq(_wealth(o), before + owed, "refund");
        }
        for (uint256 i; i < marketKeys.length; ++i) {
            (,,, Settlement.MarketState state,) = settlement.markets(marketKeys[i]);
            if (state != Settlement.MarketState.Settled) continue;
            uint256 id = vault.tokenIdOf(marketKeys[i], 0);
            for (uint256 j; j < 3; ++j) {
                if (token.balanceOf(traders[j], id) == 0) continue;
                settlement.redeem(traders[j], marketKeys[i], 0, type(uint256).max);
            }
        }
    }

    function _wealth(Order memory o) private view returns (uint256) {
        if (o.isBuy) return _usdc(o.account) + vault.claimable(o.account);
        return token.balanceOf(o.account, vault.tokenIdOf(o.marketKey, o.outcome));
    }

    /// I8: traders hold exactly what their own orders, redemptions and allowed withdrawals left them.
    function invariant_I8_nothingElseMovesBalances() external view {
        for (uint256 i; i < 3; ++i) {
            assert(int256(_usdc(traders[i])) == int256(INITIAL) + handler.cash(traders[i]));
            _eq(vault.claimable(traders[i]), handler.credit(traders[i]), "credit");
            _eq(settlement.claimable(traders[i]), handler.payoutCredit(traders[i]), "credit of a payout");
            for (uint256 j; j < marketKeys.length * 2; ++j) {
                uint256 id = vault.tokenIdOf(marketKeys[j / 2], uint8(j % 2));
                assert(int256(token.balanceOf(traders[i], id)) == handler.held(traders[i], id));
            }
        }
    }
}
