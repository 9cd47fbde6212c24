// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OutcomeToken} from "../src/OutcomeToken.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Backing, Fill, Order, Redemption} from "../src/SwapTypes.sol";
import {TestUsdc} from "../src/TestUsdc.sol";
import {Grant, TradingAccount} from "../src/TradingAccount.sol";
import {Vm} from "./Vm.sol";
import {Fixture} from "./Fixture.sol";

/// Everything that may happen, in any order: three traders, four tokens, honest and dishonest keys.
/// Keeps its own books, from the calls it makes and never from what the contracts answer.
contract Handler {
    Vm private constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    uint256 private constant ONE = 1e6;
    address public constant OUTSIDER = address(0x0D0);

    struct Setup {
        SwapVault vault;
        TestUsdc usdc;
        address admin;
        address operator;
        address both; // operator and resolver in one
        address attestor;
        address resolver;
        address pauser;
        address treasury;
        address[] traders; // two trading accounts with grants, and a plain address
        bytes32[] markets; // the last one is not registered at first
        uint256[3] caps; // of mints, payouts and settlements
    }

    struct Attested {
        uint256 bought;
        uint256 floor;
    }

    struct Use {
        uint256 time;
        uint256 amount;
    }

    struct Cap {
        uint256 day;
        uint256 ordered;
        uint256 withdrawn;
    }

    SwapVault private vault;
    TestUsdc private usdc;
    OutcomeToken private token;
    Setup private s;
    uint128 private salts;
    uint256 private refs;

    Order[] public orders;
    uint256[] private open; // indexes of orders not ended
    mapping(bytes32 => uint8) public ended; // 0 open, 2 filled, 3 refunded
    mapping(address => int256) public cash;
    mapping(address => mapping(uint256 => int256)) public held;
    mapping(uint256 => uint256) public minted;
    mapping(uint256 => uint256) public burned;
    mapping(uint256 => uint256) public sold;
    mapping(uint256 => Attested) private attested;
    mapping(bytes32 => bool) private registered;
    mapping(bytes32 => address) private proposerOf;
    Use[][3] private uses; // of each hourly cap
    mapping(address => Cap) private caps;
    mapping(bytes32 => uint256) public collateral;
    mapping(address => bool) public blocked;
    mapping(address => uint256) public credit;
    uint256 public openLimits;
    mapping(uint256 => uint256) public openTokens;
    uint256 public earned; // by the service, in the vault
    int256 public drawn; // from the treasury

    /// The first rule that was seen broken; empty while none is.
    string public violation;
    mapping(bytes32 => uint256) public calls;

    constructor(Setup memory setup) {
        s = setup;
        (vault, usdc, token) = (setup.vault, setup.usdc, setup.vault.outcomeToken());
        for (uint256 i; i + 1 < setup.markets.length; ++i) registered[setup.markets[i]] = true;
        for (uint256 i; i < 2 * setup.markets.length; ++i) {
            attested[_tokenId(i)] = Attested(50_000e6, 0);
        }
    }

    // ------------------------------------------------------------ what happens

    function request(uint256 who, uint256 market, bool isBuy, uint128 quantity, uint128 limit) external {
        Order memory o = _draw(who, market, isBuy, quantity, limit);
        if (isBuy) {
            vm.prank(o.account);
            try usdc.approve(address(vault), o.quoteLimit) {} catch {} // a blocked address cannot
        }
        vm.prank(o.account);
        try vault.request(o) {
            _opened(o);
        } catch {}
    }

    function requestFor(uint256 who, uint256 market, bool isBuy, uint128 quantity, uint128 limit) external {
        Order memory o = _draw(who % 2, market, isBuy, quantity, limit);
        Order[] memory list = new Order[](1);
        list[0] = o;
        vm.prank(s.operator);
        try vault.requestFor(list) returns (bool[] memory accepted) {
            if (!accepted[0]) return;
            Cap storage cap = _cap(o.account);
            cap.ordered += isBuy ? o.quoteLimit : o.quantity;
            if (cap.ordered > 3_000e6) _broken("I8: the day's orders exceed their cap");
            if ((isBuy ? o.quoteLimit : o.quantity) > 1_000e6) _broken("I8: an order exceeds its cap");
            _opened(o);
        } catch {}
    }

    function fill(uint256 which, uint128 quantity, uint128 quote, bool inBatch) external {
        if (orders.length == 0) return;
        Order memory o = orders[_pick(which)];
        quantity = uint128(1 + (quantity % (o.quantity + 1)));
        quote = uint128(quote % (uint256(o.isBuy ? o.quoteLimit : o.quantity) + 2));
        _fill(o, quantity, quote, inBatch);
    }

    /// A whole honest trade.
    function trade(uint256 who, uint256 market, bool isBuy, uint128 quantity, uint128 limit) external {
        uint256 before = orders.length;
        this.request(who, market, isBuy, quantity, limit);
        if (orders.length > before) this.fillHonestly(8 * (open.length - 1) + 1, quantity / 2);
    }

    /// A fill as an honest service makes it, so that many succeed.
    function fillHonestly(uint256 which, uint128 quantity) external {
        if (orders.length == 0) return;
        Order memory o = orders[_pick(which)];
        quantity = uint128(1 + (quantity % o.quantity));
        uint256 quote = (uint256(o.quoteLimit) * quantity) / o.quantity;
        if (!o.isBuy && quote * o.quantity < uint256(o.quoteLimit) * quantity) quote += 1;
        if (quote > quantity) quote = quantity;
        _fill(o, quantity, uint128(quote), which % 2 == 0);
    }

    function _fill(Order memory o, uint128 quantity, uint128 quote, bool inBatch) private {
        bytes32 id = vault.orderIdOf(o);
        Fill[] memory fills = new Fill[](1);
        fills[0] = Fill(o, quantity, quote);
        bool settledBefore = _settled(o.marketKey);
        bool wasPaused = vault.paused();
        vm.prank(s.operator);
        if (inBatch) {
            try vault.fillBatch(fills) {} catch {}
        } else {
            try vault.fill(fills[0]) {} catch {}
        }
        if (ended[id] != 0 || vault.statusOf(id) != 2) return;
        _end(o, 2);
        ++calls["fill"];
        if (settledBefore) _broken("I6: a fill after settlement");
        if (wasPaused) _broken("a fill while paused");
        if (vm.getBlockTimestamp() > o.expiry) _broken("a fill after expiry");
        uint256 tokenId = vault.tokenIdOf(o.marketKey, o.outcome);
        if (o.isBuy) {
            if (quote > o.quoteLimit || uint256(quote) * o.quantity > uint256(o.quoteLimit) * quantity) {
                _broken("I5: paid more than the limit");
            }
            openLimits -= o.quoteLimit;
            earned += quote;
            minted[tokenId] += quantity;
            held[o.account][tokenId] += int256(uint256(quantity));
            _paid(o.account, o.quoteLimit - quote);
            Attested memory known = attested[tokenId];
            if (token.totalSupply(tokenId) + sold[tokenId] > known.bought) _broken("I3: minted beyond the backing");
            if (uint256(quote) * ONE < known.floor * quantity) _broken("I3: minted below the floor");
            _used(0, quote);
        } else {
            if (uint256(quote) * o.quantity < uint256(o.quoteLimit) * quantity || quote > quantity) {
                _broken("I5: sold below the limit or above a dollar");
            }
            openTokens[tokenId] -= o.quantity;
            burned[tokenId] += quantity;
            sold[tokenId] += quantity;
            _used(1, quote);
            held[o.account][tokenId] += int256(uint256(o.quantity - quantity));
            _taken(quote);
            _paid(o.account, quote);
        }
    }

    function refund(uint256 which, bool byOperator, bool inBatch) external {
        if (orders.length == 0) return;
        Order memory o = orders[_pick(which)];
        bytes32 id = vault.orderIdOf(o);
        bool may = byOperator || vm.getBlockTimestamp() > o.expiry;
        Order[] memory list = new Order[](1);
        list[0] = o;
        vm.prank(byOperator ? s.operator : OUTSIDER);
        if (inBatch) {
            try vault.refundBatch(list) {} catch {}
        } else {
            try vault.refund(o) {} catch {}
        }
        bool isDone = ended[id] == 0 && vault.statusOf(id) == 3;
        if (isDone && !may) _broken("refunded by a stranger before expiry");
        if (!isDone && may && ended[id] == 0) _broken("I7/I9: a due refund failed");
        if (!isDone) return;
        _end(o, 3);
        ++calls["refund"];
        if (o.isBuy) {
            openLimits -= o.quoteLimit;
            _paid(o.account, o.quoteLimit);
        } else {
            uint256 tokenId = vault.tokenIdOf(o.marketKey, o.outcome);
            openTokens[tokenId] -= o.quantity;
            held[o.account][tokenId] += int256(uint256(o.quantity));
        }
    }

    function register(uint256 market) external {
        if (market % 8 != 0) return; // late, so that there is something to refuse
        vm.prank(s.attestor);
        vault.registerMarket("KXTEST-4");
        registered[s.markets[3]] = true;
    }

    function propose(uint256 market, uint256 payoutYes, uint256 payoutNo) external {
        if (market % 5 != 0) return; // markets live a while
        payoutYes %= ONE + 1;
        payoutNo = market % 2 == 0 ? ONE - payoutYes : payoutNo % (ONE - payoutYes + 1);
        address proposer = market % 3 == 0 ? s.both : s.resolver;
        vm.prank(proposer);
        try vault.proposeSettlement(_market(market), payoutYes, payoutNo) {
            if (!registered[_market(market)]) _broken("I10: an unregistered market was proposed");
            proposerOf[_market(market)] = proposer;
        } catch {}
    }

    function veto(uint256 market) external {
        if (market % 8 != 0) return; // rarely, or nothing would ever settle
        vm.prank(s.admin);
        try vault.vetoSettlement(_market(market)) {} catch {}
    }

    function finalize(uint256 market, uint256 who) external {
        bytes32 key = _market(market);
        (uint24 payoutYes, uint24 payoutNo, uint40 finalizableAt,,) = vault.markets(key);
        address caller = [s.operator, s.operator, s.operator, s.both, s.resolver, OUTSIDER][who % 6];
        vm.prank(caller);
        try vault.finalizeSettlement(key) {
            uint256 time = vm.getBlockTimestamp();
            if (time < finalizableAt) _broken("settled before the delay");
            if (!registered[key]) _broken("I10: an unregistered market settled");
            if (caller == proposerOf[key]) _broken("I11: the proposer executed");
            if (who % 6 > 3 && time < finalizableAt + 7 days) _broken("I11: executed by no operator");
            uint256 need = _ceil(token.totalSupply(vault.tokenIdOf(key, 0)) * payoutYes)
                + _ceil(token.totalSupply(vault.tokenIdOf(key, 1)) * payoutNo);
            collateral[key] = need;
            _used(2, need);
            _taken(need);
            ++calls["finalize"];
        } catch {}
    }

    function redeem(uint256 who, uint256 market, uint8 outcome, uint256 amount, bool byHolder) external {
        (address holder, bytes32 key) = (s.traders[who % 3], _market(market));
        outcome %= 2;
        uint256 tokenId = vault.tokenIdOf(key, outcome);
        uint256 balance = token.balanceOf(holder, tokenId);
        if (balance == 0) return;
        bool isWhole = amount % 2 == 0;
        amount = isWhole ? balance : 1 + (amount % balance);
        vm.prank(byHolder ? holder : OUTSIDER);
        try vault.redeem(holder, key, outcome, isWhole ? type(uint256).max : amount) {
            (uint24 payoutYes, uint24 payoutNo,,,) = vault.markets(key);
            uint256 payout = (amount * (outcome == 0 ? payoutYes : payoutNo)) / ONE;
            held[holder][tokenId] -= int256(amount);
            burned[tokenId] += amount;
            collateral[key] -= payout; // reverts, and so breaks the run, if the market owed less
            _paid(holder, payout);
            ++calls["redeem"];
        } catch {
            if (_settled(key) && (isWhole || byHolder)) _broken("I7: a due redemption failed");
        }
    }

    /// Whatever a stolen operator key asks for.
    function withdraw(uint256 who, uint256 amount, bool toOwner, bool ofTokens, uint256 market) external {
        TradingAccount a = TradingAccount(payable(s.traders[who % 2]));
        uint256 tokenId = vault.tokenIdOf(_market(market), 0);
        uint256 balance = ofTokens ? token.balanceOf(address(a), tokenId) : usdc.balanceOf(address(a));
        if (balance == 0) return;
        amount = 1 + (amount % (toOwner || balance < 600e6 ? balance : 600e6));
        address to = toOwner ? a.owner() : OUTSIDER;
        vm.prank(s.operator);
        try a.operatorWithdraw(
            ofTokens ? address(token) : address(usdc), ofTokens ? tokenId : 0, amount, to, bytes32(++refs)
        ) {
            if (ofTokens) held[address(a)][tokenId] -= int256(amount);
            else cash[address(a)] -= int256(amount);
            if (toOwner) return;
            Cap storage cap = _cap(address(a));
            cap.withdrawn += amount;
            if (cap.withdrawn > 500e6) _broken("I8: the day's withdrawals exceed their cap");
            ++calls["withdraw"];
        } catch {}
    }

    function attest(uint256 which, uint128 bought, uint256 floor) external {
        _attest(_tokenId(which % 8), bought % 50_000e6, which % 4 == 0 ? floor % (ONE + 1) : floor % 100_000);
    }

    function _attest(uint256 tokenId, uint256 bought, uint256 floor) private {
        attested[tokenId] = Attested(bought, floor);
        Backing[] memory one = new Backing[](1);
        one[0] = Backing(tokenId, uint56(bought), uint24(floor));
        vm.prank(s.attestor);
        vault.attestBacking(one);
    }

    function pause(uint256 seed) external {
        if (vault.paused()) {
            vm.prank(s.admin);
            vault.unpause();
        } else if (seed % 16 == 0) {
            vm.prank(s.pauser);
            vault.pause();
        }
    }

    function blockTrader(uint256 who) external {
        address trader = s.traders[who % 3];
        if (!blocked[trader] && who % 16 != 0) return; // rarely, or little would ever happen
        blocked[trader] = !blocked[trader];
        vm.prank(s.admin);
        if (blocked[trader]) usdc.blacklist(trader);
        else usdc.unBlacklist(trader);
    }

    function claim(uint256 who) external {
        address trader = s.traders[who % 3];
        try vault.claim(trader) {
            cash[trader] += int256(credit[trader]);
            credit[trader] = 0;
        } catch {
            if (credit[trader] > 0 && !blocked[trader]) _broken("I7: a due claim failed");
        }
    }

    function sweep(uint64 amount) external {
        amount = uint64(amount % (earned + 2));
        vm.prank(s.treasury);
        try vault.sweep(amount) {
            earned -= amount;
            drawn -= int256(uint256(amount));
        } catch {}
    }

    function pass(uint32 time) external {
        vm.warp(vm.getBlockTimestamp() + 1 + (time % 4 minutes));
    }

    function passWithAttestation(uint32 time) external {
        vm.warp(vm.getBlockTimestamp() + 1 + (time % (time % 16 == 0 ? 26 hours : 10 minutes)));
        for (uint256 i; i < 4; ++i) _attest(_tokenId(i), 50_000e6, 1_000);
    }

    // ------------------------------------------------------------ for the invariants

    function orderCount() external view returns (uint256) {
        return orders.length;
    }

    function orderAt(uint256 index) external view returns (Order memory) {
        return orders[index];
    }

    // ------------------------------------------------------------ the books

    function _draw(uint256 who, uint256 market, bool isBuy, uint128 quantity, uint128 limit)
        private
        returns (Order memory)
    {
        address trader = s.traders[who % 3];
        uint8 outcome = uint8((market >> 8) % 2);
        quantity = uint128(1 + (quantity % 1_500e6));
        if (!isBuy) {
            uint256 balance = token.balanceOf(trader, vault.tokenIdOf(_market(market), outcome));
            if (balance > 0) quantity = uint128(1 + (quantity % balance));
        }
        return Order({
            account: trader,
            receiver: trader,
            marketKey: _market(market),
            outcome: outcome,
            isBuy: isBuy,
            quantity: quantity,
            quoteLimit: uint128(limit % (uint256(quantity) + 1)),
            expiry: uint64(vm.getBlockTimestamp() + 60 + (uint256(limit) * 7919 % 2 hours)),
            clientRef: bytes32(0),
            salt: ++salts
        });
    }

    function _opened(Order memory o) private {
        open.push(orders.length);
        orders.push(o);
        ++calls["request"];
        if (o.isBuy) {
            openLimits += o.quoteLimit;
            cash[o.account] -= int256(uint256(o.quoteLimit));
        } else {
            uint256 tokenId = vault.tokenIdOf(o.marketKey, o.outcome);
            openTokens[tokenId] += o.quantity;
            held[o.account][tokenId] -= int256(uint256(o.quantity));
        }
    }

    /// Mostly an open order, now and then any.
    function _pick(uint256 seed) private view returns (uint256) {
        if (open.length == 0 || seed % 8 == 0) return (seed / 8) % orders.length;
        return open[(seed / 8) % open.length];
    }

    function _end(Order memory o, uint8 how) private {
        bytes32 id = vault.orderIdOf(o);
        ended[id] = how;
        for (uint256 i; i < open.length; ++i) {
            if (vault.orderIdOf(orders[open[i]]) != id) continue;
            open[i] = open[open.length - 1];
            open.pop();
            return;
        }
    }

    function _paid(address to, uint256 amount) private {
        if (blocked[to]) credit[to] += amount;
        else cash[to] += int256(amount);
    }

    function _taken(uint256 amount) private {
        if (amount <= earned) {
            earned -= amount;
        } else {
            drawn += int256(amount - earned);
            earned = 0;
        }
    }

    function _cap(address a) private returns (Cap storage cap) {
        cap = caps[a];
        uint256 day = vm.getBlockTimestamp() / 1 days;
        if (cap.day != day) (cap.day, cap.ordered, cap.withdrawn) = (day, 0, 0);
    }

    function _market(uint256 seed) private view returns (bytes32) {
        return s.markets[seed % s.markets.length];
    }

    function _settled(bytes32 key) private view returns (bool) {
        (,,, SwapVault.MarketState state,) = vault.markets(key);
        return state == SwapVault.MarketState.Settled;
    }

    function _tokenId(uint256 which) private view returns (uint256) {
        return vault.tokenIdOf(s.markets[which / 2], uint8(which % 2));
    }

    /// What a leaky bucket promises, by another way of counting: within any one hour at most twice
    /// its capacity.
    function _used(uint256 which, uint256 amount) private {
        Use[] storage all = uses[which];
        all.push(Use(vm.getBlockTimestamp(), amount));
        uint256 sum;
        for (uint256 i = all.length; i > 0 && all[i - 1].time + 1 hours > vm.getBlockTimestamp(); --i) {
            sum += all[i - 1].amount;
        }
        if (sum > 2 * s.caps[which] || amount > s.caps[which]) _broken("I12: an hourly cap was exceeded");
    }

    function _ceil(uint256 value) private pure returns (uint256) {
        return (value + ONE - 1) / ONE;
    }

    function _broken(string memory rule) private {
        if (bytes(violation).length == 0) violation = rule;
    }
}

contract InvariantTest is Fixture {
    Handler private handler;
    address[] private traders;
    bytes32[] private marketKeys;

    uint256 private constant INITIAL = 50_000e6;

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
            _grant(a, i == 0 ? OWNER_KEY : OTHER_KEY, g);
        }
        for (uint256 i; i < 3; ++i) _fund(traders[i], INITIAL - _usdc(traders[i]));
        for (uint256 i; i < 4; ++i) _attest(marketKeys[i], 50_000e6);
        vm.prank(attestor);
        vault.registerMarket("KXTEST-3");
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
                caps: [uint256(4_000e6), 3_000e6, 3_000e6]
            })
        );
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
            uint256 kind = (x >> 100) % 19;
            if (kind == 0) handler.request(a, b, x & 1 == 0, a, b);
            if (kind == 1) handler.requestFor(a, b, x & 1 == 0, a, b);
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
        }
        bytes32[6] memory names = [bytes32("request"), "fill", "refund", "finalize", "redeem", "withdraw"];
        for (uint256 i; i < names.length; ++i) {
            if (handler.calls(names[i]) == 0) revert(string(abi.encodePacked("never reached: ", names[i])));
        }
    }

    /// I1: the vault's USDC is exactly what it owes and what the service earned.
    function invariant_I1_usdcIsAccountedFor() external view {
        uint256 owed = handler.openLimits() + handler.earned();
        for (uint256 i; i < marketKeys.length; ++i) owed += handler.collateral(marketKeys[i]);
        for (uint256 i; i < 3; ++i) owed += handler.credit(traders[i]);
        _eq(_usdc(address(vault)), owed, "vault");
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

    /// I3, I5, I8, I10 to I12, the refusals of I6, and liveness, are judged where they happen.
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

    /// I6: what a settled market still holds covers every token of it.
    function invariant_I6_settledMarketsAreFunded() external view {
        for (uint256 i; i < marketKeys.length; ++i) {
            bytes32 key = marketKeys[i];
            (uint24 payoutYes, uint24 payoutNo,, SwapVault.MarketState state,) = vault.markets(key);
            if (state != SwapVault.MarketState.Settled) continue;
            uint256 value = token.totalSupply(vault.tokenIdOf(key, 0)) * payoutYes
                + token.totalSupply(vault.tokenIdOf(key, 1)) * payoutNo;
            assert(handler.collateral(key) * ONE >= value);
        }
    }

    /// I7 and I9: whatever has happened, paused or not, every open order ends by anyone's hand one
    /// second after its expiry, and settled tokens are redeemed. (What an invariant does is undone.)
    function invariant_I7_I9_everythingCanLeave() external {
        if (!vault.paused()) {
            vm.prank(pauser);
            vault.pause();
        }
        uint256 count = handler.orderCount();
        for (uint256 i = count > 6 ? count - 6 : 0; i < count; ++i) {
            Order memory o = handler.orderAt(i);
            if (vault.statusOf(vault.orderIdOf(o)) != 1) continue;
            uint256 owed = o.isBuy ? o.quoteLimit : o.quantity;
            if (vm.getBlockTimestamp() <= o.expiry) vm.warp(o.expiry + 1);
            uint256 before = _wealth(o);
            vm.prank(address(0xA70E));
            vault.refund(o);
            _eq(_wealth(o), before + owed, "refund");
        }
        for (uint256 i; i < marketKeys.length; ++i) {
            (,,, SwapVault.MarketState state,) = vault.markets(marketKeys[i]);
            if (state != SwapVault.MarketState.Settled) continue;
            uint256 id = vault.tokenIdOf(marketKeys[i], 0);
            for (uint256 j; j < 3; ++j) {
                if (token.balanceOf(traders[j], id) == 0) continue;
                vault.redeem(traders[j], marketKeys[i], 0, type(uint256).max);
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
            for (uint256 j; j < marketKeys.length * 2; ++j) {
                uint256 id = vault.tokenIdOf(marketKeys[j / 2], uint8(j % 2));
                assert(int256(token.balanceOf(traders[i], id)) == handler.held(traders[i], id));
            }
        }
    }
}
