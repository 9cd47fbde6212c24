// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payments} from "../src/Payments.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Order} from "../src/SwapTypes.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

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
