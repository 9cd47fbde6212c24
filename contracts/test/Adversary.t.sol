// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {Payments} from "../src/Payments.sol";
import {Settlement} from "../src/Settlement.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Fill, Order, Redemption} from "../src/SwapTypes.sol";
import {TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

/// A contract that takes part in orders and misbehaves in its ERC-1155 hook as told.
contract Receiver {
    enum Mood {
        Accept,
        Refuse,
        BurnGas,
        LongReason,
        Reenter
    }

    struct Attempt {
        address to;
        bytes call;
    }

    SwapVault private immutable vault;
    Mood public mood;
    Attempt[] private attempts;
    uint256 public reentered;
    uint256 public refusedByTheLock;

    constructor(SwapVault vault_) {
        vault = vault_;
    }

    function behave(Mood mood_) external {
        mood = mood_;
    }

    function willTry(bytes calldata call) external {
        attempts.push(Attempt(address(vault), call));
    }

    function willTryAt(address to, bytes calldata call) external {
        attempts.push(Attempt(to, call));
    }

    function act(address to, bytes calldata data) external returns (bytes memory) {
        (bool ok, bytes memory answer) = to.call(data);
        require(ok, "act failed");
        return answer;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external returns (bytes4) {
        if (mood == Mood.Refuse) revert("no");
        if (mood == Mood.BurnGas) while (true) {}
        if (mood == Mood.LongReason) {
            assembly {
                revert(0, 100000)
            }
        }
        if (mood == Mood.Reenter) {
            for (uint256 i; i < attempts.length; ++i) {
                (bool ok, bytes memory reason) = attempts[i].to.call(attempts[i].call);
                if (ok) ++reentered;
                else if (bytes4(reason) == ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector) {
                    ++refusedByTheLock;
                }
            }
        }
        return this.onERC1155Received.selector;
    }
}

/// Claims to be an account. What it does when the vault asks for an order's input is up to it.
contract FalseAccount {
    enum Trick {
        DoNothing,
        PayLess,
        PayMore,
        PayByFinalizing,
        PayByRequesting,
        LongReason,
        BurnGas
    }

    SwapVault private immutable vault;
    Trick private trick;
    Order private second;

    constructor(SwapVault vault_) {
        vault = vault_;
    }

    function play(Trick trick_, Order calldata second_) external {
        trick = trick_;
        second = second_;
        vault.usdc().approve(address(vault), type(uint256).max);
    }

    function operatorSwap(Order calldata order, bytes calldata) external {
        if (trick == Trick.PayLess) vault.usdc().transfer(address(vault), order.quoteLimit - 1);
        if (trick == Trick.PayMore) vault.usdc().transfer(address(vault), order.quoteLimit + 1);
        if (trick == Trick.PayByFinalizing) vault.settlement().finalizeSettlement(second.marketKey);
        if (trick == Trick.PayByRequesting) vault.request(second);
        if (trick == Trick.LongReason) {
            assembly {
                revert(0, 100000)
            }
        }
        if (trick == Trick.BurnGas) while (true) {}
    }
}

/// Accepts tokens, but gives up at once, and cheaply, when it sees too little gas for its work.
contract ThriftyReceiver is ERC1155Holder {
    function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes memory data)
        public
        override
        returns (bytes4)
    {
        if (gasleft() < 120_000) revert();
        return super.onERC1155Received(operator, from, id, value, data);
    }
}

contract ReceiverAdversaryTest is Fixture {
    Receiver private bad;

    function setUp() public override {
        super.setUp();
        bad = new Receiver(vault);
        _fund(address(bad), 1_000e6);
    }

    function _orderFor(address a, address receiver) private returns (Order memory o) {
        o = _buy(a, 2e6, 1e6);
        o.receiver = receiver;
        _request(o);
    }

    function test_refusingReceiverFallsBackToTheAccount() public {
        for (uint256 mood = 1; mood <= 3; ++mood) {
            bad.behave(Receiver.Mood(mood));
            Order memory o = _orderFor(address(account), address(bad));
            _fill(o, 2e6, 1e6);
            _eq(token.balanceOf(address(account), yes), 2e6 * mood, "account");
        }
        _eq(token.balanceOf(address(bad), yes), 0, "receiver");
    }

    function test_refusingAccountGetsACredit() public {
        bad.behave(Receiver.Mood.Refuse);
        Order memory o = _orderFor(address(bad), address(bad));
        _fill(o, 2e6, 600_000);
        _eq(vault.claimableTokens(address(bad), yes), 2e6, "credit");
        _eq(token.balanceOf(address(vault), yes), 2e6, "held");
        _eq(token.totalSupply(yes), 2e6, "supply counts it");
        _eq(_usdc(address(bad)), 1_000e6 - 600_000, "the rest came back");

        vm.prank(stranger);
        vm.expectRevert(SwapVault.OnlyClaimant.selector);
        vault.claimTokens(address(bad), yes, stranger);
        vm.expectRevert();
        vault.claimTokens(address(bad), yes, address(bad));
        _eq(vault.claimableTokens(address(bad), yes), 2e6, "still there");
        bad.act(address(vault), abi.encodeCall(vault.claimTokens, (address(bad), yes, stranger)));
        _eq(token.balanceOf(stranger, yes), 2e6, "claimed elsewhere by the account itself");
        bad.behave(Receiver.Mood.Accept);
        vm.expectRevert(Payments.NothingToClaim.selector);
        vault.claimTokens(address(bad), yes, address(bad));
    }

    function test_everyRefusedPartIsCredited() public {
        bad.behave(Receiver.Mood.Refuse);
        Order memory o = _orderFor(address(bad), address(bad));
        _fillPart(o, 500_000, 250_000);
        _fillPart(o, 1e6, 500_000);
        bad.behave(Receiver.Mood.Accept);
        _fill(o, 2e6, 1e6);
        _eq(vault.claimableTokens(address(bad), yes), 1e6, "the refused parts");
        _eq(token.balanceOf(address(bad), yes), 1e6, "the accepted one");
        _eq(token.totalSupply(yes), 2e6, "supply");
    }

    function test_creditedTokensSurviveSettlement() public {
        bad.behave(Receiver.Mood.Refuse);
        _fill(_orderFor(address(bad), address(bad)), 2e6, 1e6);
        _settle(MARKET, ONE, 0);
        vm.expectRevert(SwapVault.BadReceiver.selector);
        settlement.redeem(address(vault), MARKET, 0, 2e6);
        bad.behave(Receiver.Mood.Accept);
        vm.prank(stranger);
        vault.claimTokens(address(bad), yes, address(bad));
        settlement.redeem(address(bad), MARKET, 0, 2e6);
        _eq(_usdc(address(bad)), 1_000e6 - 1e6 + 2e6, "paid");
    }

    function test_claimsCannotGoBackIntoTheVault() public {
        bad.behave(Receiver.Mood.Refuse);
        _fill(_orderFor(address(bad), address(bad)), 2e6, 1e6);
        vm.prank(address(bad));
        vm.expectRevert(SwapVault.BadReceiver.selector);
        vault.claimTokens(address(bad), yes, address(vault));
    }

    function test_refusedRefundOfTokensIsCredited() public {
        _fill(_orderFor(address(bad), address(bad)), 2e6, 1e6);
        Order memory s = _sell(address(bad), 2e6, 1);
        _request(s);
        bad.behave(Receiver.Mood.BurnGas);
        vm.warp(s.expiry + 1);
        vault.refund(s);
        _eq(_status(s), 3, "refunded all the same");
        _eq(vault.claimableTokens(address(bad), yes), 2e6, "credit");
    }

    function test_reentranceFindsEveryDoorClosed() public {
        Order memory open = _orderFor(address(bad), address(bad));
        Order memory o = _orderFor(address(bad), address(bad));
        Order memory third = _buy(address(bad), 1e6, 1e6);
        bytes32 operatorRole = vault.OPERATOR_ROLE();
        vm.prank(admin);
        vault.grantRole(operatorRole, address(bad)); // even with an operator's power
        vm.prank(address(bad));
        usdc.approve(address(vault), type(uint256).max);
        Order[] memory list = _one(open);
        Fill[] memory fills = new Fill[](1);
        fills[0] = _last(open, 2e6, 1e6);
        bad.willTry(abi.encodeCall(vault.fill, (fills[0])));
        bad.willTry(abi.encodeCall(vault.fillBatch, (fills)));
        bad.willTry(abi.encodeCall(vault.refund, (open)));
        bad.willTry(abi.encodeCall(vault.refundBatch, (list)));
        bad.willTry(abi.encodeCall(vault.request, (third)));
        bad.willTry(abi.encodeCall(vault.requestFor, (list, _unsigned(list.length))));
        bad.willTry(abi.encodeCall(vault.claim, (address(bad))));
        bad.willTry(abi.encodeCall(vault.claimTokens, (address(bad), yes, address(bad))));
        bad.willTry(abi.encodeCall(vault.requestEnd, (open)));
        bad.willTryAt(address(settlement), abi.encodeCall(settlement.finalizeSettlement, (OTHER_MARKET)));
        _acquire(address(bad), OTHER_MARKET, 0, 1e6);
        _acquire(address(bad), OTHER_MARKET, 1, 1e6);
        bad.willTryAt(address(settlement), abi.encodeCall(settlement.merge, (OTHER_MARKET, 1e6)));
        bad.willTry(abi.encodeCall(vault.sweep, (1)));
        bad.willTry(abi.encodeCall(vault.refundTask, (open, true)));
        bad.willTry(abi.encodeCall(vault.fillMember, (fills[0])));
        bad.willTry(abi.encodeCall(vault.requestTask, (third, "")));
        vm.prank(admin);
        vault.setTimings(0, 1 days);
        _propose(OTHER_MARKET, ONE, 0);
        bad.behave(Receiver.Mood.Reenter);
        _fill(o, 2e6, 1e6);
        _eq(bad.reentered(), 0, "doors opened");
        _eq(bad.refusedByTheLock(), 12, "all but the vault's own doors, by the lock itself");
        _eq(token.balanceOf(address(bad), yes), 2e6, "delivered");
        _eq(_status(open), 1, "untouched");
    }

    /// The settlement has no lock: what a receiver redeems while the vault is at work is its own.
    function test_redeemingWhileTheVaultIsAtWorkLeavesTheBooksRight() public {
        _acquire(address(bad), OTHER_MARKET, 0, 3e6);
        bad.behave(Receiver.Mood.Refuse);
        _fill(_orderFor(address(bad), address(bad)), 2e6, 1e6);
        _settle(OTHER_MARKET, ONE, 0);
        bad.willTryAt(
            address(settlement), abi.encodeCall(settlement.redeem, (address(bad), OTHER_MARKET, 0, 3e6))
        );
        bad.behave(Receiver.Mood.Reenter);
        uint256 before = _usdc(address(bad));
        vault.claimTokens(address(bad), yes, address(bad));
        _eq(bad.reentered(), 1, "redeemed");
        _eq(_usdc(address(bad)), before + 3e6, "the payout");
        _eq(token.balanceOf(address(bad), yes), 2e6, "the claim");
        _eq(_usdc(address(vault)), vault.accrued(), "vault");
        _eq(_usdc(address(settlement)), 0, "settlement");
        _eq(token.totalSupply(vault.tokenIdOf(OTHER_MARKET, 0)), 0, "supply");
    }

    function test_griefersInABatchCostTheOthersNothing() public {
        bad.behave(Receiver.Mood.BurnGas);
        Fill[] memory fills = new Fill[](5);
        for (uint256 i; i < 5; ++i) {
            address a = i % 2 == 0 ? address(account) : address(bad);
            fills[i] = _last(_orderFor(a, a), 2e6, 1e6);
        }
        fills[4].filledTotal = 2e6 - 1; // outside its price
        vm.recordLogs();
        vm.prank(operator);
        vault.fillBatch(fills);
        _eq(token.balanceOf(address(account), yes), 4e6, "honest fills");
        _eq(vault.claimableTokens(address(bad), yes), 4e6, "credited fills");
        _eq(_status(fills[4].order), 1, "the bad fill stays open");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        assert(last.topics[0] == SwapVault.FillFailed.selector);
        assert(last.topics[1] == vault.orderIdOf(fills[4].order));
        bytes memory reason = abi.encodeWithSelector(SwapVault.PriceOutsideLimit.selector);
        assert(keccak256(last.data) == keccak256(abi.encode(reason)));
    }

    /// The dearest fills there are, both receivers burning what they get and USDC refusing both, fit
    /// into a batch member's share of the gas.
    function test_theDearestFillsFitTheirShare() public {
        Receiver worse = new Receiver(vault);
        _fund(address(worse), 10e6);
        bad.behave(Receiver.Mood.Accept);
        _acquire(address(worse), MARKET, 1, 4e6);
        Order memory s = _order(address(worse), MARKET, 1, false, 4e6, 1);
        s.receiver = address(bad);
        _request(s);
        vm.prank(treasury);
        vault.sweep(4e6); // the proceeds come from the treasury
        Fill[] memory fills = new Fill[](2);
        fills[0] = _last(_orderFor(address(worse), address(bad)), 1e6, 100_000);
        fills[1] = _last(s, 2e6, 1e6);
        bad.behave(Receiver.Mood.BurnGas);
        worse.behave(Receiver.Mood.BurnGas);
        vm.startPrank(admin);
        usdc.blacklist(address(bad));
        usdc.blacklist(address(worse));
        vm.stopPrank();
        vm.prank(operator);
        vault.fillBatch{gas: 1_600_000}(fills);
        _eq(_status(fills[0].order), 2, "the buy");
        _eq(_status(s), 2, "the sell");
        _eq(vault.claimableTokens(address(worse), yes), 1e6, "bought");
        _eq(vault.claimableTokens(address(worse), no), 2e6, "not sold");
        _eq(vault.claimable(address(worse)), 900_000 + 1e6, "the rest, and the proceeds");
    }

    function test_tooLittleGasIsNeverMistakenForARefusal() public {
        Order memory o = _orderFor(address(account), address(account));
        Order memory r = _orderFor(address(account), address(account));
        vm.warp(r.expiry);
        // every gas limit either delivers to the receiver or changes nothing
        for (uint256 gasLimit = 60_000; gasLimit < 420_000; gasLimit += 20_000) {
            vm.prank(operator);
            (bool ok,) = address(vault).call{gas: gasLimit}(abi.encodeCall(vault.fill, (_last(o, 2e6, 1e6))));
            _eq(vault.claimableTokens(address(account), yes), 0, "no credit for want of gas");
            if (ok) break;
            _eq(_status(o), 1, "unchanged");
        }
        _eq(_status(o), 2, "filled in the end");
        vm.warp(r.expiry + 1);
        for (uint256 gasLimit = 40_000; gasLimit < 400_000; gasLimit += 20_000) {
            (bool ok,) = address(vault).call{gas: gasLimit}(abi.encodeCall(vault.refund, (r)));
            _eq(vault.claimable(address(account)), 0, "no credit for want of gas");
            if (ok) break;
        }
        _eq(_status(r), 3, "refunded in the end");
        Order memory b = _orderFor(address(account), address(account));
        Fill[] memory fills = new Fill[](1);
        fills[0] = _last(b, 2e6, 1e6);
        _attest(MARKET, 100e6);
        for (uint256 gasLimit = 100_000; gasLimit < 1_200_000; gasLimit += 50_000) {
            vm.prank(operator);
            (bool ok,) = address(vault).call{gas: gasLimit}(abi.encodeCall(vault.fillBatch, (fills)));
            if (!ok) continue;
            _eq(_status(b), 2, "a batch that succeeds has filled");
            return;
        }
        assert(false);
    }

    function test_receiversGetTheGasTheyArePromised() public {
        address thrifty = address(new ThriftyReceiver());
        _fund(thrifty, 1e6);
        Order memory o = _buy(thrifty, 2e6, 1e6);
        _request(o);
        for (uint256 gasLimit = 60_000; _status(o) == 1; gasLimit += 5_000) {
            vm.prank(operator);
            (bool ok,) = address(vault).call{gas: gasLimit}(abi.encodeCall(vault.fill, (_last(o, 2e6, 1e6))));
            if (ok) _eq(token.balanceOf(thrifty, yes), 2e6, "delivered, not credited");
        }
    }
}

contract BlockedAdversaryTest is Fixture {
    function _block(address a, bool blocked) private {
        vm.prank(admin);
        if (blocked) usdc.blacklist(a);
        else usdc.unBlacklist(a);
    }

    function test_refundOfABlockedAccountIsCreditedToIt() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        _block(address(account), true);
        vm.prank(operator);
        vault.refund(o);
        _eq(_status(o), 3, "status");
        _eq(vault.claimable(address(account)), 1e6, "credit");
        vm.expectRevert();
        vault.claim(address(account));
        _block(address(account), false);
        vm.prank(stranger);
        vault.claim(address(account));
        _eq(_usdc(address(account)), 10_000e6, "to the account only");
        vm.expectRevert(Payments.NothingToClaim.selector);
        vault.claim(address(account));
    }

    function test_creditsAddUp() public {
        Order memory a = _buy(address(account), 1e6, 1e6);
        Order memory b = _buy(address(account), 1e6, 2e6);
        _request(a);
        _request(b);
        _block(address(account), true);
        vm.startPrank(operator);
        vault.refund(a);
        vault.refund(b);
        vm.stopPrank();
        _eq(vault.claimable(address(account)), 3e6, "both");
    }

    function test_blockedAccountStillGetsItsTokens() public {
        Order memory o = _buy(address(account), 2e6, 2e6);
        _request(o);
        _block(address(account), true);
        _fill(o, 2e6, 500_000);
        _eq(token.balanceOf(address(account), yes), 2e6, "tokens");
        _eq(vault.claimable(address(account)), 1_500_000, "rest");
        _eq(vault.accrued(), 500_000, "accrued");
    }

    function test_blockedReceiverOfASaleFallsBackToTheAccount() public {
        _acquire(address(account), MARKET, 0, 2e6);
        Order memory o = _sell(address(account), 2e6, 1e6);
        o.receiver = stranger;
        _request(o);
        _block(stranger, true);
        _fill(o, 2e6, 1e6);
        _eq(_usdc(address(account)), 10_001e6, "account");
    }

    function test_blockedReceiverAndAccountOfASale() public {
        _acquire(address(account), MARKET, 0, 2e6);
        Order memory o = _sell(address(account), 2e6, 1e6);
        o.receiver = stranger;
        _request(o);
        _block(stranger, true);
        _block(address(account), true);
        _fill(o, 2e6, 1e6);
        _eq(vault.claimable(address(account)), 1e6, "credit");
        _eq(vault.claimable(stranger), 0, "not the receiver's");
    }

    function test_blockedHolderIsCreditedAtRedemption() public {
        _acquire(stranger, MARKET, 0, 2e6);
        _settle(MARKET, ONE, 0);
        _block(stranger, true);
        settlement.redeem(stranger, MARKET, 0, 2e6);
        _eq(settlement.claimable(stranger), 2e6, "credit");
        _block(stranger, false);
        settlement.claim(stranger);
        _eq(_usdc(stranger), 2e6, "paid");
    }

    function test_pausedUsdcStopsNoRefund() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        vm.prank(admin);
        usdc.setPaused(true);
        vm.warp(o.expiry + 1);
        vault.refund(o);
        _eq(vault.claimable(address(account)), 1e6, "credit");
    }
}

contract FalseAccountAdversaryTest is Fixture {
    FalseAccount private liar;

    function setUp() public override {
        super.setUp();
        liar = new FalseAccount(vault);
        _fund(address(liar), 1_000e6);
    }

    function _try(FalseAccount.Trick trick) private returns (bool accepted) {
        Order memory o = _buy(address(liar), 2e6, 2e6);
        liar.play(trick, _buy(address(liar), 2e6, 2e6));
        uint256 before = _usdc(address(vault));
        accepted = _requestFor(o);
        if (!accepted) {
            _eq(_status(o), 0, "no order without its input");
            _eq(_usdc(address(vault)), before, "and nothing was taken");
        }
    }

    function test_inputMustArrive() public {
        assert(!_try(FalseAccount.Trick.DoNothing));
        assert(!_try(FalseAccount.Trick.PayLess));
        assert(!_try(FalseAccount.Trick.PayMore));
        assert(!_try(FalseAccount.Trick.PayByRequesting));
    }

    function test_collateralIsNotAnInput() public {
        _acquire(address(account), MARKET, 0, 2e6);
        vm.prank(treasury);
        vault.sweep(2e6);
        vm.prank(admin);
        vault.setTimings(0, 1 days);
        _propose(MARKET, ONE, 0);
        bytes32 role = vault.OPERATOR_ROLE();
        vm.prank(admin);
        vault.grantRole(role, address(liar)); // even with an operator's power
        Order memory o = _order(address(liar), OTHER_MARKET, 0, true, 2e6, 2e6);
        Order memory carrier = _buy(address(liar), 1, 1); // names the market to finalize
        liar.play(FalseAccount.Trick.PayByFinalizing, carrier);
        assert(!_requestFor(o));
        _eq(_usdc(address(vault)), 0, "the settlement was undone too");
        _finalize(MARKET);
        _eq(_usdc(address(settlement)), 2e6, "and works alone");
    }

    function test_griefingAccountsDoNotStopTheOthers() public {
        _grantDefault();
        FalseAccount.Trick[2] memory tricks = [FalseAccount.Trick.LongReason, FalseAccount.Trick.BurnGas];
        for (uint256 i; i < 2; ++i) {
            Order[] memory list = new Order[](3);
            list[0] = _buy(address(liar), 2e6, 2e6);
            list[1] = _buy(address(account), 1e6, 1e6);
            list[2] = _buy(stranger, 1e6, 1e6); // no code at all
            liar.play(tricks[i], list[0]);
            vm.recordLogs();
            vm.prank(operator);
            bool[] memory accepted = vault.requestFor(list, _unsigned(list.length));
            assert(!accepted[0] && accepted[1] && !accepted[2]);
            Vm.Log[] memory logs = vm.getRecordedLogs();
            assert(logs[0].data.length <= 352); // a long reason is cut to 256 bytes
        }
    }

    /// An account that burns gas gets a member's share, not what the others need.
    function test_aBurningAccountLeavesGasForTheOthers() public {
        _grantDefault();
        Order[] memory list = new Order[](2);
        list[0] = _buy(address(liar), 2e6, 2e6);
        list[1] = _buy(address(account), 1e6, 1e6);
        liar.play(FalseAccount.Trick.BurnGas, list[0]);
        vm.prank(operator);
        bool[] memory accepted = vault.requestFor{gas: 1_700_000}(list, _unsigned(list.length));
        assert(!accepted[0] && accepted[1]);
    }

    function test_aMissingInputIsNamed() public {
        Order memory o = _buy(address(liar), 2e6, 2e6);
        liar.play(FalseAccount.Trick.PayLess, o);
        vm.recordLogs();
        _requestFor(o);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bytes memory reason = abi.encodeWithSelector(SwapVault.InputNotReceived.selector);
        assert(keccak256(logs[logs.length - 1].data) == keccak256(abi.encode(reason)));
    }

    function test_aBatchWithTooLittleGasChangesNothing() public {
        _grantDefault();
        Order memory o = _buy(address(account), 1e6, 1e6);
        vm.prank(operator);
        vm.expectRevert(Payments.InsufficientGas.selector);
        vault.requestFor{gas: 700_000}(_one(o), _unsigned(1));
        _eq(_status(o), 0, "status");
    }

    /// A reference is its writer's word: the order's id and account tell whose it is.
    function test_aBorrowedReferenceMovesNothingOfItsOwners() public {
        Order memory honest = _buy(address(account), 1e6, 1e6);
        honest.clientRef = bytes32("theirs");
        _request(honest);
        Order memory copy = honest;
        copy.account = copy.receiver = address(otherAccount);
        bytes32 id = vault.orderIdOf(copy);
        vm.prank(address(otherAccount));
        usdc.approve(address(vault), 1e6);
        vm.recordLogs();
        vm.prank(address(otherAccount));
        vault.request(copy);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        assert(last.topics[1] == id && last.topics[2] == bytes32(uint256(uint160(address(otherAccount)))));
        assert(last.topics[3] == bytes32("theirs"));
    }

    function test_sellsOfFalseAccountsNeedTheirTokens() public {
        _acquire(stranger, MARKET, 0, 1e6);
        liar.play(FalseAccount.Trick.DoNothing, _sell(address(liar), 1e6, 1));
        assert(!_requestFor(_sell(address(liar), 1e6, 1)));
        assert(!_requestFor(_sell(stranger, 1e6, 1))); // a holder without a grant
        _eq(token.balanceOf(stranger, yes), 1e6, "untouched");
    }
}

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
