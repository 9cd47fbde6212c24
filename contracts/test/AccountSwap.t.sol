// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SwapVault} from "../src/SwapVault.sol";
import {Order} from "../src/SwapTypes.sol";
import {Grant, TradingAccount} from "../src/TradingAccount.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract AccountSwapTest is Fixture {
    function setUp() public override {
        super.setUp();
        _grantDefault();
    }

    function test_buyUnderTheGrant() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        assert(_requestFor(o));
        _eq(_status(o), 1, "status");
        _eq(_usdc(address(vault)), 6e6, "escrow");
        (uint256 toOrder,) = account.remainingToday();
        _eq(toOrder, 8_000e6 - 6e6, "remaining");
        _eq(usdc.allowance(address(account), address(vault)), 0, "no allowance is left behind");
    }

    function test_sellUnderTheGrant() public {
        _acquire(address(account), MARKET, 0, 10e6);
        Order memory o = _sell(address(account), 10e6, 6e6);
        assert(_requestFor(o));
        _eq(token.balanceOf(address(vault), yes), 10e6, "escrow");
    }

    function test_receiverIsTheAccountOrItsOwner() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        o.receiver = stranger;
        assert(!_requestFor(o));
        o.receiver = owner;
        assert(_requestFor(o));
    }

    function test_ordersOfOtherAccountsAreRefused() public {
        Order memory o = _buy(address(otherAccount), 1e6, 1e6);
        o.receiver = address(account);
        vm.prank(address(vault));
        vm.expectRevert(TradingAccount.BadOrder.selector);
        account.operatorSwap(o, "");
    }

    function test_capsPerOrderAndPerDay() public {
        assert(!_requestFor(_buy(address(account), 9_000e6, 5_000e6 + 1)));
        assert(_requestFor(_buy(address(account), 9_000e6, 5_000e6)));
        assert(!_requestFor(_buy(address(account), 9_000e6, 3_000e6 + 1)));
        assert(_requestFor(_buy(address(account), 9_000e6, 3_000e6)));
        assert(!_requestFor(_buy(address(account), 1, 1)));
        vm.warp((START / 1 days + 1) * 1 days); // the next UTC day
        assert(_requestFor(_buy(address(account), 9_000e6, 2_000e6)));
    }

    function test_sellsCountAtADollarAContract() public {
        _acquire(address(account), MARKET, 0, 6_000e6);
        assert(!_requestFor(_sell(address(account), 5_000e6 + 1, 1)));
        assert(_requestFor(_sell(address(account), 5_000e6, 1)));
        (uint256 toOrder,) = account.remainingToday();
        _eq(toOrder, 3_000e6, "remaining");
    }

    function test_theDaysCapIsNamed() public {
        assert(_requestFor(_buy(address(account), 9_000e6, 5_000e6)));
        Order memory o = _buy(address(account), 9_000e6, 3_000e6 + 1);
        vm.prank(address(vault));
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.OverDayCap.selector, 8_000e6 + 1, 8_000e6));
        account.operatorSwap(o, "");
    }

    function test_refusalsCarryTheReason() public {
        Order memory o = _buy(address(account), 1e6, 5_000e6 + 1);
        vm.recordLogs();
        _requestFor(o);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        _eq(logs.length, 1, "nothing else happened");
        assert(logs[0].topics[0] == SwapVault.OrderRejected.selector);
        assert(logs[0].topics[1] == vault.orderIdOf(o));
        bytes memory reason = abi.encodeWithSelector(TradingAccount.OverOrderCap.selector, 5_000e6 + 1, 5_000e6);
        assert(keccak256(logs[0].data) == keccak256(abi.encode(reason)));
    }

    function test_afterExpiryNothing() public {
        vm.warp(account.grant().validUntil);
        assert(_requestFor(_buy(address(account), 1e6, 1e6)));
        vm.warp(vm.getBlockTimestamp() + 1);
        assert(!_requestFor(_buy(address(account), 1e6, 1e6)));
        (uint256 toOrder, uint256 toWithdraw) = account.remainingToday();
        _eq(toOrder + toWithdraw, 0, "remaining");
    }

    function test_onlyTheVaultCalls() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        vm.prank(operator);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorSwap(o, "");
        vm.prank(owner);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorSwap(o, "");
    }

    function test_anotherAccountsOrderIsRefused() public {
        Order memory o = _buy(address(otherAccount), 1e6, 1e6);
        vm.prank(address(vault));
        vm.expectRevert(TradingAccount.BadOrder.selector);
        account.operatorSwap(o, "");
    }

    function test_oneBadOrderDoesNotStopTheOthers() public {
        Order[] memory list = new Order[](3);
        list[0] = _buy(address(account), 1e6, 1e6);
        list[1] = _buy(address(account), 1e6, 6_000e6);
        list[2] = _buy(address(otherAccount), 1e6, 1e6);
        vm.prank(operator);
        bool[] memory accepted = vault.requestFor(list, _unsigned(list.length));
        assert(accepted[0] && !accepted[1] && accepted[2]);
        _eq(_status(list[1]), 0, "no trace");
    }

    function test_aSingleAddressMayOperate() public {
        Grant memory g = _defaultGrant(account);
        g.operator = stranger;
        _grant(account, OWNER_KEY, g);
        _acquire(address(account), MARKET, 0, 2e6);
        Order memory b = _buy(address(account), 1e6, 1e6);
        Order memory s = _sell(address(account), 2e6, 1e6);
        assert(!_requestFor(b)); // the service is not granted any more
        vm.startPrank(stranger);
        account.operatorSwap(b, "");
        account.operatorSwap(s, "");
        vm.stopPrank();
        _eq(_status(b), 1, "buy");
        _eq(_status(s), 1, "sell");
        _eq(usdc.allowance(address(account), address(vault)), 0, "no allowance is left behind");
        vm.prank(operator);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("r"));
    }

    function testFuzz_neverMoreThanTheDayAllows(uint64[8] calldata limits) public {
        uint256 total;
        for (uint256 i; i < limits.length; ++i) {
            uint128 limit = 1 + uint128(limits[i] % 6_000e6);
            bool fits = limit <= 5_000e6 && total + limit <= 8_000e6;
            assert(_requestFor(_buy(address(account), 1e6, limit)) == fits);
            if (fits) total += limit;
        }
        _eq(_usdc(address(vault)), total, "escrow");
    }
}
