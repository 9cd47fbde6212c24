// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";

import {TestUsdc} from "../src/TestUsdc.sol";
import {Fixture} from "./Fixture.sol";

/// That the local dollar behaves as Circle's does where the service depends on it.
contract TestUsdcTest is Fixture {
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant CANCEL = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    struct Signature {
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    function setUp() public override {
        super.setUp();
        _fund(owner, 100e6);
    }

    function _signed(uint256 key, bytes32 structHash) private view returns (Signature memory sig) {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), structHash));
        (sig.v, sig.r, sig.s) = vm.sign(key, digest);
    }

    function test_itsDomainIsCircles() public view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("USD Coin"),
                keccak256("2"),
                block.chainid,
                address(usdc)
            )
        );
        assert(usdc.DOMAIN_SEPARATOR() == domain && usdc.decimals() == 6);
        assert(keccak256(bytes(usdc.symbol())) == keccak256("USDC"));
    }

    function test_permits() public {
        uint256 deadline = START + 60;
        Signature memory sig = _signed(OWNER_KEY, keccak256(abi.encode(PERMIT, owner, stranger, 5e6, 0, deadline)));
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.PermitExpired.selector, deadline));
        usdc.permit(owner, stranger, 5e6, deadline, sig.v, sig.r, sig.s);
        vm.warp(deadline);
        vm.expectPartialRevert(TestUsdc.PermitSignerMismatch.selector);
        usdc.permit(owner, stranger, 5e6 + 1, deadline, sig.v, sig.r, sig.s);
        usdc.permit(owner, stranger, 5e6, deadline, sig.v, sig.r, sig.s);
        _eq(usdc.allowance(owner, stranger), 5e6, "allowance");
        _eq(usdc.nonces(owner), 1, "nonce");
        vm.expectPartialRevert(TestUsdc.PermitSignerMismatch.selector);
        usdc.permit(owner, stranger, 5e6, deadline, sig.v, sig.r, sig.s);
        vm.prank(stranger);
        usdc.transferFrom(owner, other, 5e6);
        _eq(_usdc(other), 5e6, "moved");
    }

    function _move(uint256 key, uint256 validAfter, uint256 validBefore, bytes32 nonce) private {
        Signature memory sig =
            _signed(key, keccak256(abi.encode(TRANSFER, owner, other, 5e6, validAfter, validBefore, nonce)));
        usdc.transferWithAuthorization(owner, other, 5e6, validAfter, validBefore, nonce, sig.v, sig.r, sig.s);
    }

    function moveByAuthorization(uint256 key, uint256 validAfter, uint256 validBefore, bytes32 nonce) external {
        _move(key, validAfter, validBefore, nonce);
    }

    function test_authorisationsMoveOnceAndInTime() public {
        _move(OWNER_KEY, START - 1, START + 1, bytes32("a"));
        _eq(_usdc(other), 5e6, "moved");
        assert(usdc.authorizationState(owner, bytes32("a")));
        vm.expectRevert(abi.encodeWithSelector(ERC3009.ERC3009UsedAuthorization.selector, owner, bytes32("a")));
        this.moveByAuthorization(OWNER_KEY, START - 1, START + 1, bytes32("a"));
        vm.expectPartialRevert(ERC3009.ERC3009InvalidAuthorizationTime.selector);
        this.moveByAuthorization(OWNER_KEY, START, START + 1, bytes32("b"));
        vm.expectPartialRevert(ERC3009.ERC3009InvalidAuthorizationTime.selector);
        this.moveByAuthorization(OWNER_KEY, START - 1, START, bytes32("b"));
        vm.expectRevert(ERC3009.ERC3009InvalidSignature.selector);
        this.moveByAuthorization(OTHER_KEY, START - 1, START + 1, bytes32("b"));
        _eq(_usdc(other), 5e6, "nothing more moved");
    }

    function test_onlyThePayeeReceivesAndCancelledIsOver() public {
        bytes32 nonce = bytes32("r");
        Signature memory sig =
            _signed(OWNER_KEY, keccak256(abi.encode(RECEIVE, owner, other, 5e6, 0, START + 1, nonce)));
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, other));
        usdc.receiveWithAuthorization(owner, other, 5e6, 0, START + 1, nonce, sig.v, sig.r, sig.s);
        Signature memory end = _signed(OWNER_KEY, keccak256(abi.encode(CANCEL, owner, nonce)));
        usdc.cancelAuthorization(owner, nonce, end.v, end.r, end.s);
        vm.prank(other);
        vm.expectRevert(abi.encodeWithSelector(ERC3009.ERC3009UsedAuthorization.selector, owner, nonce));
        usdc.receiveWithAuthorization(owner, other, 5e6, 0, START + 1, nonce, sig.v, sig.r, sig.s);
        nonce = bytes32("s");
        sig = _signed(OWNER_KEY, keccak256(abi.encode(RECEIVE, owner, other, 5e6, 0, START + 1, nonce)));
        vm.prank(other);
        usdc.receiveWithAuthorization(owner, other, 5e6, 0, START + 1, nonce, sig.v, sig.r, sig.s);
        _eq(_usdc(other), 5e6, "received");
    }

    function test_theBlockedNeitherSendNorReceiveNorSpend() public {
        vm.prank(owner);
        usdc.approve(stranger, type(uint256).max);
        vm.prank(admin);
        usdc.blacklist(stranger);
        assert(usdc.isBlacklisted(stranger));
        bytes memory blocked = abi.encodeWithSelector(TestUsdc.Blocked.selector, stranger);
        vm.startPrank(owner);
        vm.expectRevert(blocked);
        usdc.transfer(stranger, 1);
        vm.expectRevert(blocked);
        usdc.approve(stranger, 1);
        vm.stopPrank();
        vm.startPrank(stranger);
        vm.expectRevert(blocked);
        usdc.transferFrom(owner, other, 1);
        vm.expectRevert(blocked);
        usdc.approve(owner, 1);
        vm.expectRevert(blocked);
        usdc.transfer(owner, 0);
        vm.stopPrank();
        vm.prank(admin);
        vm.expectRevert(blocked);
        usdc.mint(stranger, 1);
        vm.prank(admin);
        usdc.unBlacklist(stranger);
        vm.prank(stranger);
        usdc.transferFrom(owner, stranger, 1);
        _eq(_usdc(stranger), 1, "unblocked");
    }

    function test_blockingKeepsTheBalance() public {
        vm.startPrank(admin);
        usdc.blacklist(owner);
        _eq(_usdc(owner), 100e6, "while blocked");
        usdc.unBlacklist(owner);
        _eq(_usdc(owner), 100e6, "and after");
    }

    function test_aPauseStopsEveryMovement() public {
        vm.prank(admin);
        usdc.setPaused(true);
        vm.startPrank(owner);
        vm.expectRevert(TestUsdc.Paused.selector);
        usdc.transfer(other, 1);
        vm.expectRevert(TestUsdc.Paused.selector);
        usdc.approve(other, 1);
        vm.stopPrank();
        vm.prank(admin);
        vm.expectRevert(TestUsdc.Paused.selector);
        usdc.mint(other, 1);
        vm.expectRevert(TestUsdc.Paused.selector);
        this.moveByAuthorization(OWNER_KEY, START - 1, START + 1, bytes32("p"));
        vm.prank(admin);
        usdc.setPaused(false);
        vm.prank(owner);
        usdc.transfer(other, 1);
    }

    function test_mintingAndItsBounds() public {
        uint256 supply = usdc.totalSupply();
        vm.prank(stranger);
        vm.expectRevert(TestUsdc.OnlyMinter.selector);
        usdc.mint(stranger, 1);
        vm.prank(admin);
        usdc.configureMinter(stranger, true);
        vm.startPrank(stranger);
        usdc.mint(other, 3);
        _eq(usdc.totalSupply(), supply + 3, "supply");
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, other));
        usdc.mint(other, 1 << 255);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        usdc.configureMinter(other, true);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        usdc.blacklist(other);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        usdc.unBlacklist(other);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        usdc.setPaused(true);
    }

    function test_neverMoreThanTheBalance() public {
        vm.prank(owner);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, owner, 100e6, 100e6 + 1)
        );
        usdc.transfer(other, 100e6 + 1);
        vm.prank(owner);
        usdc.transfer(owner, 100e6);
        _eq(_usdc(owner), 100e6, "to oneself");
    }
}
