// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";

import {Order} from "../src/SwapTypes.sol";
import {Call} from "../src/SignedBatch.sol";
import {BATCH} from "./ContractOwner.sol";
import {Fixture} from "./Fixture.sol";
import {ForeignErc1155} from "./AccountWithdraw.t.sol";

contract AccountExecutionTest is Fixture {
    function _transfer(address to, uint256 amount) private view returns (bytes memory) {
        Call[] memory calls = new Call[](1);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (to, amount)));
        return abi.encode(calls);
    }

    function test_ownerSelfAndEntryPoint() public {
        vm.prank(owner);
        account.execute(BATCH, _transfer(stranger, 1));
        vm.prank(address(account));
        account.execute(BATCH, _transfer(stranger, 1));
        vm.prank(ENTRY_POINT);
        account.execute(BATCH, _transfer(stranger, 1));
        _eq(_usdc(stranger), 3, "moved");
    }

    function test_nobodyElse() public {
        _grantDefault();
        address[4] memory others = [operator, admin, stranger, address(vault)];
        for (uint256 i; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, others[i]));
            account.execute(BATCH, _transfer(stranger, 1));
        }
    }

    function test_modes() public {
        assert(account.supportsExecutionMode(BATCH));
        bytes32 withOpData = 0x0100000000007821000100000000000000000000000000000000000000000000;
        assert(!account.supportsExecutionMode(withOpData));
        vm.prank(owner);
        vm.expectRevert(ERC7821.UnsupportedExecutionMode.selector);
        account.execute(bytes32(0), _transfer(stranger, 1));
    }

    function test_aBatchIsAllOrNothing() public {
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (stranger, 1)));
        calls[1] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (stranger, 20_000e6)));
        vm.prank(owner);
        vm.expectRevert();
        account.execute(BATCH, abi.encode(calls));
        _eq(_usdc(stranger), 0, "nothing moved");
    }

    function test_ownerOrdersInOneTransaction() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        Call[] memory calls = new Call[](2);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.approve, (address(vault), 6e6)));
        calls[1] = Call(address(vault), 0, abi.encodeCall(vault.request, (o)));
        vm.prank(owner);
        account.execute(BATCH, abi.encode(calls));
        _eq(_status(o), 1, "status");
    }

    function test_userOperations() public {
        PackedUserOperation memory op;
        op.sender = address(account);
        bytes32 hash = keccak256("a user operation");
        op.signature = _sign(OWNER_KEY, hash);
        vm.deal(address(account), 1 ether);
        vm.prank(ENTRY_POINT);
        _eq(account.validateUserOp(op, hash, 0.1 ether), 0, "valid");
        _eq(ENTRY_POINT.balance, 0.1 ether, "prefund");
        op.signature = _sign(OTHER_KEY, hash);
        vm.prank(ENTRY_POINT);
        _eq(account.validateUserOp(op, hash, 0), 1, "invalid");
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, stranger));
        account.validateUserOp(op, hash, 0);
        assert(address(account.entryPoint()) == ENTRY_POINT);
    }

    function test_signaturesAreNested() public view {
        bytes32 hash = keccak256("a message for some application");
        // a plain signature must not count: it could be replayed on the owner's other accounts
        assert(account.isValidSignature(hash, _sign(OWNER_KEY, hash)) == bytes4(0xffffffff));
        bytes32 nested = _digest(
            address(account), keccak256(abi.encode(keccak256("PersonalSign(bytes prefixed)"), hash))
        );
        assert(account.isValidSignature(hash, _sign(OWNER_KEY, nested)) == IERC1271.isValidSignature.selector);
        assert(account.isValidSignature(hash, _sign(OTHER_KEY, nested)) == bytes4(0xffffffff));
        assert(otherAccount.isValidSignature(hash, _sign(OWNER_KEY, nested)) == bytes4(0xffffffff));
    }

    function test_receives() public {
        assert(account.supportsInterface(0x4e2312e0));
        new ForeignErc1155(address(account));
        vm.deal(stranger, 1 ether);
        vm.prank(stranger);
        (bool ok,) = address(account).call{value: 1 ether}("");
        assert(ok);
    }
}
