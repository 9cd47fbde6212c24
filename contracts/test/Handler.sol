// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OutcomeToken} from "../src/OutcomeToken.sol";
import {Payments} from "../src/Payments.sol";
import {Settlement} from "../src/Settlement.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Backing, Fill, Order} from "../src/SwapTypes.sol";
import {TestUsdc} from "../src/TestUsdc.sol";
import {Batch, Call} from "../src/SignedBatch.sol";
import {TradingAccount} from "../src/TradingAccount.sol";
import {Vm} from "./Vm.sol";

/// Of the test that makes the handler: it knows how the contracts hash what is signed.
interface Signing {
    function digestOf(address account, Batch memory b) external view returns (bytes32);

    function signOrder(uint256 key, Order memory o) external view returns (bytes memory);
}

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
        uint256[2] ownerKeys; // of the trading accounts
        uint256 sessionKey; // that the second one's grant names
        Signing signing;
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
    Settlement private settlement;
    TestUsdc private usdc;
    OutcomeToken private token;
    Setup private s;
    uint128 private salts;
    uint256 private refs;

    Order[] public orders;
    uint256[] private open; // indexes of orders not ended
    mapping(bytes32 => uint8) public ended; // 0 open, 2 filled, 3 refunded
    mapping(bytes32 => uint256) public filledOf;
    mapping(bytes32 => uint256) public chargedOf;
    mapping(bytes32 => uint256) public endsAtOf; // as the account asked; zero if it did not
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
    mapping(address => uint256) public credit; // at the vault
    mapping(address => uint256) public payoutCredit; // at the settlement
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
        settlement = setup.vault.settlement();
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
        bytes[] memory signatures = new bytes[](1);
        // a thief leaves the signature out, or worsens what was signed
        bool isHonest = limit % 4 != 0;
        if (isHonest || limit % 8 == 0) signatures[0] = s.signing.signOrder(s.sessionKey, o);
        if (!isHonest) list[0].quoteLimit = o.quoteLimit + 1;
        vm.prank(s.operator);
        try vault.requestFor(list, signatures) returns (bool[] memory accepted) {
            if (!accepted[0]) return;
            if (o.account == s.traders[1]) {
                if (!isHonest) _broken("I18: an order that its session key did not sign");
                ++calls["signed order"];
            }
            Cap storage cap = _cap(o.account);
            cap.ordered += isBuy ? o.quoteLimit : o.quantity;
            if (cap.ordered > 3_000e6) _broken("I8: the day's orders exceed their cap");
            if ((isBuy ? o.quoteLimit : o.quantity) > 1_000e6) _broken("I8: an order exceeds its cap");
            _opened(o);
        } catch {}
    }

    /// Totals of any kind: most repeat, fall or pass a bound.
    function fill(uint256 which, uint128 quantity, uint128 quote, bool inBatch) external {
        if (orders.length == 0) return;
        Order memory o = orders[_pick(which)];
        quantity = uint128(1 + (quantity % (o.quantity + 1)));
        quote = uint128(quote % (uint256(o.isBuy ? o.quoteLimit : o.quantity) + 2));
        _fill(o, quantity, quote, which % 3 == 0, inBatch);
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
        uint256 filled = filledOf[vault.orderIdOf(o)];
        if (filled >= o.quantity) return;
        quantity = uint128(filled + 1 + (quantity % (o.quantity - filled)));
        uint256 quote = (uint256(o.quoteLimit) * quantity) / o.quantity;
        if (!o.isBuy && quote * o.quantity < uint256(o.quoteLimit) * quantity) quote += 1;
        if (quote > quantity) quote = quantity;
        _fill(o, quantity, uint128(quote), (which >> 16) % 3 == 0, which % 2 == 0);
    }

    function _fill(Order memory o, uint128 filledTotal, uint128 quoteTotal, bool isLast, bool inBatch) private {
        bytes32 id = vault.orderIdOf(o);
        Fill[] memory fills = new Fill[](1);
        fills[0] = Fill(o, uint104(filledTotal), uint104(quoteTotal), isLast);
        bool settledBefore = _settled(o.marketKey);
        vm.prank(s.operator);
        if (inBatch) {
            try vault.fillBatch(fills) {} catch {}
        } else {
            try vault.fill(fills[0]) {} catch {}
        }
        (uint8 status,, uint104 filled, uint104 charged) = vault.progressOf(id);
        if (filled == filledOf[id] && charged == chargedOf[id]) return;
        if (filled != filledTotal || charged != quoteTotal) _broken("I14: other totals than the fill's");
        if (status != (isLast ? 2 : 1)) _broken("I4: a fill left another status");
        if (ended[id] != 0) _broken("I4: a fill after the end");
        if (settledBefore) _broken("I6: a fill after settlement");
        if (vault.paused()) _broken("a fill while paused");
        if (vm.getBlockTimestamp() > _endOf(o, id)) _broken("I15: a fill after the last second");
        if (filledTotal <= filledOf[id] || quoteTotal < chargedOf[id]) _broken("I14: a fill that adds nothing");
        if (quoteTotal > (o.isBuy ? o.quoteLimit : type(uint128).max)) _broken("I5: paid more than the limit");
        if (!o.isBuy && filledTotal > o.quantity) _broken("I5: sold more than was escrowed");
        _checkPrice(o, filledTotal, quoteTotal, 0);
        uint256 quantity = filledTotal - filledOf[id];
        uint256 quote = quoteTotal - chargedOf[id];
        _checkPrice(o, quantity, quote, 10_000);
        (filledOf[id], chargedOf[id]) = (filledTotal, quoteTotal);
        if (o.isBuy) _bookBuy(o, quantity, quote);
        else _bookSell(o, quantity, quote);
        ++calls[isLast ? bytes32("fill") : bytes32("part")];
        if (!isLast) return;
        _end(o, 2);
        _bookRest(o, id);
    }

    function _checkPrice(Order memory o, uint256 quantity, uint256 quote, uint256 tolerance) private {
        uint256 atLimit = uint256(o.quoteLimit) * quantity;
        bool isKept = o.isBuy
            ? quote * o.quantity <= atLimit + tolerance * o.quantity
            : (quote + tolerance) * o.quantity >= atLimit;
        if (!isKept) _broken("I5: outside the order's price");
    }

    function _bookBuy(Order memory o, uint256 quantity, uint256 quote) private {
        uint256 tokenId = vault.tokenIdOf(o.marketKey, o.outcome);
        openLimits -= quote;
        earned += quote;
        minted[tokenId] += quantity;
        held[o.account][tokenId] += int256(quantity);
        Attested memory known = attested[tokenId];
        if (token.totalSupply(tokenId) + sold[tokenId] > known.bought) _broken("I3: minted beyond the backing");
        if (quote * ONE < known.floor * quantity) _broken("I3: minted below the floor");
        _used(0, quote);
    }

    function _bookSell(Order memory o, uint256 quantity, uint256 quote) private {
        uint256 tokenId = vault.tokenIdOf(o.marketKey, o.outcome);
        if (quote > quantity) _broken("I5: sold above a dollar");
        openTokens[tokenId] -= quantity;
        burned[tokenId] += quantity;
        sold[tokenId] += quantity;
        _used(1, quote);
        _taken(quote);
        _paid(o.account, quote);
    }

    /// What an ended order's fills have left of its input goes back to its account.
    function _bookRest(Order memory o, bytes32 id) private {
        if (o.isBuy) {
            openLimits -= o.quoteLimit - chargedOf[id];
            _paid(o.account, o.quoteLimit - chargedOf[id]);
        } else {
            uint256 tokenId = vault.tokenIdOf(o.marketKey, o.outcome);
            openTokens[tokenId] -= o.quantity - filledOf[id];
            held[o.account][tokenId] += int256(o.quantity - filledOf[id]);
        }
    }

    function _endOf(Order memory o, bytes32 id) private view returns (uint256) {
        return endsAtOf[id] != 0 && endsAtOf[id] < o.expiry ? endsAtOf[id] : o.expiry;
    }

    function refund(uint256 which, bool byOperator, bool inBatch) external {
        if (orders.length == 0) return;
        Order memory o = orders[_pick(which)];
        bytes32 id = vault.orderIdOf(o);
        bool may = byOperator || vm.getBlockTimestamp() > _endOf(o, id);
        Order[] memory list = new Order[](1);
        list[0] = o;
        vm.prank(byOperator ? s.operator : OUTSIDER);
        if (inBatch) {
            try vault.refundBatch(list) {} catch {}
        } else {
            try vault.refund(o) {} catch {}
        }
        bool isDone = ended[id] == 0 && vault.statusOf(id) == 3;
        if (isDone && !may) _broken("refunded by a stranger before the end");
        if (!isDone && may && ended[id] == 0) _broken("I7/I9: a due refund failed");
        if (!isDone) return;
        _end(o, 3);
        ++calls[filledOf[id] == 0 ? bytes32("refund") : bytes32("refund of a rest")];
        _bookRest(o, id);
    }

    function requestEnd(uint256 which, uint256 who) external {
        if (orders.length == 0 || which % 4 != 0) return; // most orders live out their time
        Order memory o = orders[_pick(which / 4)];
        bytes32 id = vault.orderIdOf(o);
        address caller = who % 4 == 0 ? s.operator : who % 4 == 1 ? OUTSIDER : o.account;
        bool may = caller == o.account && ended[id] == 0 && endsAtOf[id] == 0;
        uint256 soon = vm.getBlockTimestamp() + 30 minutes;
        vm.prank(caller);
        try vault.requestEnd(o) {
            if (!may) _broken("I15: an end that is not its account's to ask for");
            endsAtOf[id] = soon < o.expiry ? soon : o.expiry;
            ++calls["requestEnd"];
        } catch {
            if (may) _broken("I7: a request of the end failed");
        }
    }

    function register(uint256 market) external {
        if (market % 8 != 0) return; // late, so that there is something to refuse
        vm.prank(s.attestor);
        settlement.registerMarket("KXTEST-4");
        registered[s.markets[3]] = true;
    }

    function propose(uint256 market, uint256 payoutYes, uint256 payoutNo) external {
        if (market % 5 != 0) return; // markets live a while
        payoutYes %= ONE + 1;
        payoutNo = market % 2 == 0 ? ONE - payoutYes : payoutNo % (ONE - payoutYes + 1);
        address proposer = market % 3 == 0 ? s.both : s.resolver;
        vm.prank(proposer);
        try settlement.proposeSettlement(_market(market), payoutYes, payoutNo) {
            if (!registered[_market(market)]) _broken("I10: an unregistered market was proposed");
            proposerOf[_market(market)] = proposer;
        } catch {}
    }

    function veto(uint256 market) external {
        if (market % 8 != 0) return; // rarely, or nothing would ever settle
        vm.prank(s.admin);
        try settlement.vetoSettlement(_market(market)) {} catch {}
    }

    function finalize(uint256 market, uint256 who) external {
        bytes32 key = _market(market);
        (uint24 payoutYes, uint24 payoutNo, uint40 finalizableAt,,) = settlement.markets(key);
        address caller = [s.operator, s.operator, s.operator, s.both, s.resolver, OUTSIDER][who % 6];
        vm.prank(caller);
        try settlement.finalizeSettlement(key) {
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
        try settlement.redeem(holder, key, outcome, isWhole ? type(uint256).max : amount) {
            (uint24 payoutYes, uint24 payoutNo,,,) = settlement.markets(key);
            uint256 payout = (amount * (outcome == 0 ? payoutYes : payoutNo)) / ONE;
            held[holder][tokenId] -= int256(amount);
            burned[tokenId] += amount;
            collateral[key] -= payout; // reverts, and so breaks the run, if the market owed less
            if (blocked[holder]) payoutCredit[holder] += payout;
            else cash[holder] += int256(payout);
            ++calls["redeem"];
        } catch {
            if (_settled(key) && (isWhole || byHolder)) _broken("I7: a due redemption failed");
        }
    }

    /// Who holds one side only buys the other one first.
    function merge(uint256 who, uint256 market, uint128 amount) external {
        (address holder, bytes32 key) = (s.traders[who % 3], _market(market));
        uint256 pairs = token.balanceOf(holder, vault.tokenIdOf(key, 0));
        uint256 ofNo = token.balanceOf(holder, vault.tokenIdOf(key, 1));
        if (pairs == 0 || ofNo == 0) {
            this.trade(who, (market % s.markets.length) + (pairs == 0 ? 0 : 256), true, amount, amount >> 64);
            return;
        }
        if (ofNo < pairs) pairs = ofNo;
        _merge(holder, key, 1 + (amount % (pairs + (who % 8 == 0 ? 2 : 0))), pairs); // now and then too many
    }

    function _merge(address holder, bytes32 key, uint256 amount, uint256 pairs) private {
        bool may = _mayMerge(holder, key, amount) && amount <= pairs;
        vm.prank(holder);
        try settlement.merge(key, amount) {
            if (!may) _broken("I17: merged what may not be");
            for (uint8 outcome; outcome < 2; ++outcome) {
                uint256 tokenId = vault.tokenIdOf(key, outcome);
                held[holder][tokenId] -= int256(amount);
                burned[tokenId] += amount;
                sold[tokenId] += amount;
            }
            _used(1, amount);
            if (amount <= earned) earned -= amount;
            else drawn += int256(amount);
            cash[holder] += int256(amount);
            ++calls["merge"];
        } catch {
            if (may) _broken("I17: a due merge failed");
        }
    }

    function _mayMerge(address holder, bytes32 key, uint256 amount) private view returns (bool) {
        (uint24 payoutYes, uint24 payoutNo,, Settlement.MarketState state,) = settlement.markets(key);
        bool isWorthLess = state == Settlement.MarketState.Proposed && payoutYes + payoutNo < ONE;
        (, uint256 room,) = vault.rooms();
        return state != Settlement.MarketState.Settled && !isWorthLess && !vault.paused() && !blocked[holder]
            && amount <= room;
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
            if (who % 2 == 1) _broken("I18: a withdrawal elsewhere past a session key");
            Cap storage cap = _cap(address(a));
            cap.withdrawn += amount;
            if (cap.withdrawn > 500e6) _broken("I8: the day's withdrawals exceed their cap");
            ++calls["withdraw"];
        } catch {}
    }

    /// What owners sign, for anyone to send: it moves once, out of this account alone.
    function batch(uint256 who, uint256 amount) external {
        TradingAccount a = TradingAccount(payable(s.traders[who % 2]));
        uint256 balance = usdc.balanceOf(address(a));
        if (balance == 0) return;
        amount = 1 + (amount % (balance < 500e6 ? balance : 500e6));
        Batch memory b = Batch(new Call[](1), 0, a.batchNonce(), block.timestamp);
        b.calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (OUTSIDER, amount)));
        (uint8 v, bytes32 r, bytes32 ss) = vm.sign(s.ownerKeys[who % 2], s.signing.digestOf(address(a), b));
        bytes memory signature = abi.encodePacked(r, ss, v);
        try TradingAccount(payable(s.traders[(who + 1) % 2])).executeWithSig(b, signature) {
            _broken("I16: a batch of another account executed");
        } catch {}
        try a.executeWithSig(b, signature) {
            cash[address(a)] -= int256(amount);
            ++calls["batch"];
        } catch {
            return;
        }
        try a.executeWithSig(b, signature) {
            _broken("I16: a batch executed twice");
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
        bool atVault = (who / 3) % 2 == 0;
        mapping(address => uint256) storage due = atVault ? credit : payoutCredit;
        try (atVault ? Payments(vault) : Payments(settlement)).claim(trader) {
            cash[trader] += int256(due[trader]);
            due[trader] = 0;
        } catch {
            if (due[trader] > 0 && !blocked[trader]) _broken("I7: a due claim failed");
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
            expiry: uint64(vm.getBlockTimestamp() + 60 + (uint256(limit) * 7919 % (limit % 4 == 0 ? 80 days : 2 hours))),
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
        (,,, Settlement.MarketState state,) = settlement.markets(key);
        return state == Settlement.MarketState.Settled;
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
