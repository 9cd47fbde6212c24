// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {Payments} from "../src/Payments.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Fill, Order} from "../src/SwapTypes.sol";
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
