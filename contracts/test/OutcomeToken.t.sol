// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC1155Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {OutcomeToken} from "../src/OutcomeToken.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract WithoutHooks {}

contract OutcomeTokenTest is Fixture {
    function setUp() public override {
        super.setUp();
        _acquire(stranger, MARKET, 0, 5e6);
        _acquire(stranger, MARKET, 1, 7e6);
    }

    function _pair(uint256 a, uint256 b) private pure returns (uint256[] memory list) {
        list = new uint256[](2);
        (list[0], list[1]) = (a, b);
    }

    function test_transfersMoveTheAmountAndNothingElse() public {
        vm.recordLogs();
        vm.prank(stranger);
        token.safeTransferFrom(stranger, other, yes, 2e6, "");
        _eq(token.balanceOf(stranger, yes), 3e6, "sender");
        _eq(token.balanceOf(other, yes), 2e6, "receiver");
        _eq(token.balanceOf(stranger, no), 7e6, "another id");
        _eq(token.totalSupply(yes), 5e6, "supply");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assert(logs.length == 1 && logs[0].topics[0] == IERC1155.TransferSingle.selector);
        assert(logs[0].topics[2] == bytes32(uint256(uint160(stranger))));
        assert(logs[0].topics[3] == bytes32(uint256(uint160(other))));
        assert(keccak256(logs[0].data) == keccak256(abi.encode(yes, 2e6)));
    }

    function test_burnsPairsInOneLog() public {
        vm.prank(stranger);
        vm.expectRevert(OutcomeToken.OnlyVault.selector);
        token.burnPair(yes, no, stranger, 2e6);
        vm.recordLogs();
        vm.prank(address(vault));
        token.burnPair(yes, no, stranger, 2e6);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assert(logs.length == 1 && logs[0].topics[0] == IERC1155.TransferBatch.selector);
        assert(logs[0].topics[2] == bytes32(uint256(uint160(stranger))) && logs[0].topics[3] == 0);
        assert(keccak256(logs[0].data) == keccak256(abi.encode(_pair(yes, no), _pair(2e6, 2e6))));
        _eq(token.balanceOf(stranger, yes), 3e6, "yes");
        _eq(token.balanceOf(stranger, no), 5e6, "no");
    }

    function test_toOneselfChangesNothing() public {
        vm.prank(stranger);
        token.safeTransferFrom(stranger, stranger, yes, 5e6, "");
        _eq(token.balanceOf(stranger, yes), 5e6, "balance");
    }

    function test_batchesMoveEachAmount() public {
        vm.recordLogs();
        vm.prank(stranger);
        token.safeBatchTransferFrom(stranger, other, _pair(yes, no), _pair(1e6, 4e6), "");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assert(logs.length == 1 && logs[0].topics[0] == IERC1155.TransferBatch.selector);
        assert(keccak256(logs[0].data) == keccak256(abi.encode(_pair(yes, no), _pair(1e6, 4e6))));
        address[] memory holders = new address[](2);
        (holders[0], holders[1]) = (other, stranger);
        uint256[] memory balances = token.balanceOfBatch(holders, _pair(no, yes));
        _eq(balances[0], 4e6, "receiver");
        _eq(balances[1], 4e6, "sender");
        vm.prank(stranger);
        token.safeBatchTransferFrom(stranger, address(account), _pair(yes, yes), _pair(1e6, 3e6), "");
        _eq(token.balanceOf(address(account), yes), 4e6, "the same id twice");
        _eq(token.balanceOf(stranger, yes), 0, "all gone");
    }

    function test_listsMustMatch() public {
        uint256[] memory one = new uint256[](1);
        one[0] = 1;
        vm.startPrank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidArrayLength.selector, 2, 1));
        token.safeBatchTransferFrom(stranger, other, _pair(yes, no), one, "");
        one[0] = yes;
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidArrayLength.selector, 1, 2));
        token.safeBatchTransferFrom(stranger, other, one, _pair(1, 1), "");
    }

    function test_neverMoreThanTheBalance() public {
        vm.startPrank(stranger);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC1155Errors.ERC1155InsufficientBalance.selector, stranger, 5e6, 5e6 + 1, yes
            )
        );
        token.safeTransferFrom(stranger, other, yes, 5e6 + 1, "");
        vm.expectRevert(
            abi.encodeWithSelector(IERC1155Errors.ERC1155InsufficientBalance.selector, stranger, 2e6, 3e6, yes)
        );
        token.safeBatchTransferFrom(stranger, other, _pair(yes, yes), _pair(3e6, 3e6), "");
        vm.stopPrank();
        _eq(token.balanceOf(stranger, yes), 5e6, "untouched");
        vm.prank(address(vault));
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC1155Errors.ERC1155InsufficientBalance.selector, stranger, 5e6, 5e6 + 1, yes
            )
        );
        token.burnFrom(stranger, yes, 5e6 + 1);
    }

    function test_burningTellsWhatIsLeft() public {
        vm.startPrank(address(vault));
        _eq(token.burnFrom(stranger, yes, 2e6), 3e6, "left");
        _eq(token.burnFrom(stranger, yes, 3e6), 0, "left");
    }

    function test_redeemingMoreThanTheBalanceChangesNothing() public {
        _settle(MARKET, ONE, 0);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC1155Errors.ERC1155InsufficientBalance.selector, stranger, 5e6, type(uint256).max - 1, yes
            )
        );
        settlement.redeem(stranger, MARKET, 0, type(uint256).max - 1);
        (uint56 supply, uint56 minted, uint56 bought,,, uint24 payout, bool settled) = vault.tokens(yes);
        assert(supply == 5e6 && minted == 5e6 && bought == 100_000e6 && payout == ONE && settled);
    }

    function test_receiversAreAsked() public {
        address deaf = address(new WithoutHooks());
        vm.startPrank(stranger);
        bytes memory refused = abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidReceiver.selector, deaf);
        vm.expectRevert(refused);
        token.safeTransferFrom(stranger, deaf, yes, 1, "");
        vm.expectRevert(refused);
        token.safeBatchTransferFrom(stranger, deaf, _pair(yes, no), _pair(1, 1), "");
        vm.expectRevert(abi.encodeWithSelector(IERC1155Errors.ERC1155InvalidReceiver.selector, address(0)));
        token.safeTransferFrom(stranger, address(0), yes, 1, "");
        vm.stopPrank();
        vm.prank(address(vault));
        vm.expectRevert(refused);
        token.mint(deaf, yes, 1);
        _eq(token.balanceOf(deaf, yes), 0, "nothing arrived");
    }

    function test_onlyWithApproval() public {
        vm.startPrank(other);
        bytes memory missing =
            abi.encodeWithSelector(IERC1155Errors.ERC1155MissingApprovalForAll.selector, other, stranger);
        vm.expectRevert(missing);
        token.safeTransferFrom(stranger, other, yes, 1, "");
        vm.expectRevert(missing);
        token.safeBatchTransferFrom(stranger, other, _pair(yes, no), _pair(1, 1), "");
    }

    function test_announcesItsInterfaces() public view {
        assert(token.supportsInterface(type(IERC1155).interfaceId) && token.supportsInterface(0x0e89341c));
    }
}
