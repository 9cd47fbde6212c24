// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {Payments} from "../src/Payments.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {Order} from "../src/SwapTypes.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract VaultRequestTest is Fixture {
    function test_buyLocksItsLimit() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes32 id = _request(o);
        assert(id == keccak256(abi.encode(block.chainid, address(vault), o)));
        _eq(vault.statusOf(id), 1, "status");
        _eq(_usdc(address(vault)), 6e6, "escrow");
        _eq(_usdc(address(account)), 9_994e6, "account");
        _eq(vault.accrued(), 0, "an escrow is not income");
    }

    function test_sellLocksItsQuantity() public {
        _acquire(address(account), MARKET, 0, 10e6);
        Order memory o = _sell(address(account), 7e6, 1e6);
        _request(o);
        _eq(token.balanceOf(address(vault), yes), 7e6, "escrow");
        _eq(token.balanceOf(address(account), yes), 3e6, "account");
        _eq(token.totalSupply(yes), 10e6, "supply");
    }

    function test_emitsTheOrder() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        vm.prank(o.account);
        usdc.approve(address(vault), o.quoteLimit);
        vm.recordLogs();
        vm.prank(o.account);
        bytes32 id = vault.request(o);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        assert(last.emitter == address(vault) && last.topics[0] == SwapVault.OrderRequested.selector);
        assert(last.topics[1] == id && last.topics[3] == o.clientRef);
        assert(keccak256(last.data) == keccak256(abi.encode(o)));
    }

    function test_onlyTheAccountItself() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        vm.prank(stranger);
        vm.expectRevert(SwapVault.OnlyOrderAccount.selector);
        vault.request(o);
    }

    function test_refusesMalformedOrders() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        o.receiver = address(0);
        _refused(o, SwapVault.BadReceiver.selector);
        o.receiver = address(vault);
        _refused(o, SwapVault.BadReceiver.selector);
        o.receiver = o.account;
        o.outcome = 2;
        _refused(o, SwapVault.BadOutcome.selector);
        o.outcome = 1;
        o.quantity = 0;
        _refused(o, SwapVault.BadQuantity.selector);
        o.quantity = 1;
        o.quoteLimit = 0;
        _refused(o, SwapVault.BadLimit.selector);
        o.quoteLimit = 1;
        o.expiry = uint64(START + 60 - 1);
        _refused(o, SwapVault.BadExpiry.selector);
        o.expiry = uint64(START + 90 days + 1);
        _refused(o, SwapVault.BadExpiry.selector);
        o.account = address(0);
        _refused(o, Payments.ZeroAddress.selector);
    }

    function test_acceptsTheShortestAndTheLongestLife() public {
        Order memory o = _buy(address(account), 1, 1);
        o.expiry = uint64(START + 60);
        _request(o);
        o.expiry = uint64(START + 90 days);
        _request(o);
    }

    function test_sellMayHaveNoLimit() public {
        _acquire(address(account), MARKET, 0, 1);
        Order memory o = _sell(address(account), 1, 0);
        _request(o);
        _eq(_status(o), 1, "status");
    }

    function _refused(Order memory o, bytes4 reason) private {
        vm.prank(o.account);
        vm.expectRevert(reason);
        vault.request(o);
    }

    function test_neverOpensTwice() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        _request(o);
        _refused(o, 1);
        vm.prank(operator);
        vault.refund(o);
        _refused(o, 3);
        Order memory f = _buy(address(account), 1e6, 1e6);
        _request(f);
        _fill(f, 1e6, 1e6);
        _refused(f, 2);
    }

    function _refused(Order memory o, uint8 status) private {
        vm.prank(o.account);
        vm.expectRevert(abi.encodeWithSelector(SwapVault.BadStatus.selector, status));
        vault.request(o);
    }

    function test_settledMarketTakesNoOrders() public {
        _settle(MARKET, ONE, 0);
        _refused(_buy(address(account), 1e6, 1e6), SwapVault.MarketSettled.selector);
    }

    function test_everyFieldIsPartOfTheId() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        bytes32 id = vault.orderIdOf(o);
        o.salt += 1;
        assert(vault.orderIdOf(o) != id);
        o.salt -= 1;
        o.clientRef = bytes32(uint256(1));
        assert(vault.orderIdOf(o) != id);
        o.clientRef = bytes32("ref");
        vm.chainId(block.chainid + 1);
        assert(vault.orderIdOf(o) != id);
    }

    function test_noAllowanceNoOrder() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        vm.prank(o.account);
        vm.expectRevert();
        vault.request(o);
        _eq(_status(o), 0, "status");
    }

    function test_strayTokensAreRefused() public {
        _acquire(stranger, MARKET, 0, 1e6);
        vm.prank(stranger);
        vm.expectRevert(SwapVault.UnexpectedTokens.selector);
        token.safeTransferFrom(stranger, address(vault), yes, 1e6, "");
        uint256[] memory ids = new uint256[](2);
        uint256[] memory amounts = new uint256[](2);
        (ids[0], ids[1], amounts[0]) = (yes, yes, 1);
        vm.prank(stranger);
        vm.expectRevert(SwapVault.UnexpectedTokens.selector);
        token.safeBatchTransferFrom(stranger, address(vault), ids, amounts, "");
        vm.expectRevert(SwapVault.UnexpectedTokens.selector);
        vault.onERC1155Received(address(0), address(0), 1, 1, "");
    }

    // A creation that reverts ends its test, so each is alone.
    function test_theZeroAddressAsUsdcIsRefused() public {
        vm.expectRevert(Payments.ZeroAddress.selector);
        new SwapVault(IERC20(address(0)), admin);
    }

    function test_theZeroAddressAsAdminIsRefused() public {
        vm.expectRevert(Payments.ZeroAddress.selector);
        new SwapVault(usdc, address(0));
    }

    function test_announcesItsInterfaces() public view {
        assert(vault.supportsInterface(0x4e2312e0) && vault.supportsInterface(0x01ffc9a7));
        assert(vault.supportsInterface(type(IAccessControl).interfaceId));
        assert(!vault.supportsInterface(0xffffffff));
    }
}
