// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

import {Grant, TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {TradingAccountFactory} from "../src/TradingAccountFactory.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

contract ForeignErc20 is ERC20("Foreign", "F") {
    constructor(address to) {
        _mint(to, 100);
    }
}

contract ForeignErc1155 is ERC1155("") {
    constructor(address to) {
        _mint(to, 3, 100, "");
    }
}

contract AccountWithdrawTest is Fixture {
    function setUp() public override {
        super.setUp();
        _grantDefault();
        _acquire(address(account), MARKET, 0, 2_000e6);
    }

    function _withdraw(address asset, uint256 id, uint256 amount, address to, bytes32 ref) private {
        vm.prank(operator);
        account.operatorWithdraw(asset, id, amount, to, ref);
    }

    function _refused(address asset, uint256 id, uint256 amount, address to, bytes memory reason) private {
        vm.prank(operator);
        vm.expectRevert(reason);
        account.operatorWithdraw(asset, id, amount, to, bytes32("refused"));
    }

    function test_anywhereWithinTheDay() public {
        _withdraw(address(usdc), 0, 600e6, stranger, bytes32("a"));
        _withdraw(address(token), yes, 300e6, stranger, bytes32("b"));
        _refused(
            address(usdc), 0, 100e6 + 1, stranger,
            abi.encodeWithSelector(TradingAccount.OverWithdrawCap.selector, 100e6 + 1, 100e6)
        );
        (, uint256 toWithdraw) = account.remainingToday();
        _eq(toWithdraw, 100e6, "remaining");
        _eq(_usdc(stranger), 600e6, "usdc");
        _eq(token.balanceOf(stranger, yes), 300e6, "tokens");
        vm.warp((START / 1 days + 1) * 1 days);
        _withdraw(address(usdc), 0, 1_000e6, stranger, bytes32("c"));
    }

    function test_toTheOwnerWithoutACap() public {
        _withdraw(address(usdc), 0, 5_000e6, owner, bytes32("a"));
        _withdraw(address(token), yes, 2_000e6, owner, bytes32("b"));
        (, uint256 toWithdraw) = account.remainingToday();
        _eq(toWithdraw, 1_000e6, "the owner's own withdrawals use up nothing");
    }

    function test_toTheOwnerOnly() public {
        Grant memory g = _defaultGrant(account);
        g.withdrawAnywhere = false;
        _grant(account, OWNER_KEY, g);
        _refused(
            address(usdc), 0, 1, stranger,
            abi.encodeWithSelector(TradingAccount.DestinationNotAllowed.selector)
        );
        (, uint256 toWithdraw) = account.remainingToday();
        _eq(toWithdraw, 0, "remaining");
        _withdraw(address(usdc), 0, 1e6, owner, bytes32("a"));
    }

    function test_hugeAmountsDoNotWrap() public {
        uint256 amount = uint256(type(uint64).max) + 2;
        _refused(
            address(usdc), 0, amount, stranger,
            abi.encodeWithSelector(TradingAccount.OverWithdrawCap.selector, amount, 1_000e6)
        );
    }

    function test_otherAssetsOnlyToTheOwner() public {
        ForeignErc20 erc20 = new ForeignErc20(address(account));
        ForeignErc1155 erc1155 = new ForeignErc1155(address(account));
        vm.deal(address(account), 1 ether);
        bytes memory no_ = abi.encodeWithSelector(TradingAccount.DestinationNotAllowed.selector);
        _refused(address(erc20), 0, 100, stranger, no_);
        _refused(address(erc1155), 3, 100, stranger, no_);
        _refused(address(0), 0, 1 ether, stranger, no_);
        _withdraw(address(erc20), 0, 100, owner, bytes32("a"));
        _withdraw(address(erc1155), 3, 100, owner, bytes32("b"));
        _withdraw(address(0), 0, 1 ether, owner, bytes32("c"));
        _eq(erc20.balanceOf(owner), 100, "erc20");
        _eq(erc1155.balanceOf(owner, 3), 100, "erc1155");
        _eq(owner.balance, 1 ether, "ether");
    }

    function test_aReferencePaysOnce() public {
        _withdraw(address(usdc), 0, 1e6, stranger, bytes32("a"));
        assert(account.refUsed(bytes32("a")));
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.RefUsed.selector, bytes32("a")));
        account.operatorWithdraw(address(usdc), 0, 1e6, stranger, bytes32("a"));
    }

    function test_uselessDestinationsAndAmounts() public {
        bytes memory no_ = abi.encodeWithSelector(TradingAccount.DestinationNotAllowed.selector);
        _refused(address(usdc), 0, 1, address(0), no_);
        _refused(address(usdc), 0, 1, address(account), no_);
        _refused(address(usdc), 0, 1, address(vault), no_);
        _refused(address(usdc), 0, 1, address(settlement), no_);
        _refused(address(usdc), 0, 0, owner, abi.encodeWithSelector(TradingAccount.ZeroAmount.selector));
    }

    function test_onlyOperators() public {
        vm.prank(stranger);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("a"));
        vm.prank(admin);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("a"));
    }

    function test_emits() public {
        vm.recordLogs();
        _withdraw(address(usdc), 0, 1e6, stranger, bytes32("a"));
        Vm.Log memory log = vm.getRecordedLogs()[0];
        assert(log.topics[0] == TradingAccount.Withdrawn.selector && log.emitter == address(account));
        assert(log.topics[3] == bytes32("a") && log.topics[2] == bytes32(uint256(uint160(stranger))));
    }

    function _signed(address asset, uint256 id, uint256 amount) private view returns (Withdrawal memory) {
        return Withdrawal(asset, id, amount, stranger, bytes32("signed"), vm.getBlockTimestamp() + 60);
    }

    function test_signedWithdrawalKnowsNoCap() public {
        Withdrawal memory w = _signed(address(usdc), 0, 9_000e6);
        bytes memory signature = _sign(OWNER_KEY, _withdrawalDigest(address(account), w));
        vm.prank(other);
        account.withdrawWithSig(w, signature);
        _eq(_usdc(stranger), 9_000e6, "usdc");
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.RefUsed.selector, bytes32("signed")));
        account.withdrawWithSig(w, signature);
    }

    function test_signedWithdrawalOfAnyAsset() public {
        ForeignErc1155 foreign = new ForeignErc1155(address(account));
        Withdrawal memory w = _signed(address(foreign), 3, 100);
        account.withdrawWithSig(w, _sign(OWNER_KEY, _withdrawalDigest(address(account), w)));
        _eq(foreign.balanceOf(stranger, 3), 100, "moved");
        vm.prank(owner);
        account.revoke();
        w = _signed(address(token), yes, 5e6);
        w.ref = bytes32("second");
        account.withdrawWithSig(w, _sign(OWNER_KEY, _withdrawalDigest(address(account), w)));
        _eq(token.balanceOf(stranger, yes), 5e6, "no grant is needed");
    }

    function test_signedWithdrawalIsBoundToEverything() public {
        Withdrawal memory w = _signed(address(usdc), 0, 1e6);
        bytes memory signature = _sign(OWNER_KEY, _withdrawalDigest(address(account), w));
        w.to = other;
        _signatureRefused(account, w, signature);
        w.to = stranger;
        w.amount += 1;
        _signatureRefused(account, w, signature);
        w.amount -= 1;
        w.ref = bytes32("x");
        _signatureRefused(account, w, signature);
        w.ref = bytes32("signed");
        TradingAccountFactory second = new TradingAccountFactory(vault);
        TradingAccount twin = TradingAccount(payable(second.createAccount(owner)));
        _signatureRefused(twin, w, signature);
        uint256 chain = block.chainid;
        vm.chainId(chain + 1);
        _signatureRefused(account, w, signature);
        vm.chainId(chain);
        _signatureRefused(account, w, _sign(OTHER_KEY, _withdrawalDigest(address(account), w)));
        vm.warp(w.deadline + 1);
        vm.expectRevert(TradingAccount.SignatureExpired.selector);
        account.withdrawWithSig(w, signature);
        vm.warp(w.deadline);
        account.withdrawWithSig(w, signature);
    }

    function _signatureRefused(TradingAccount a, Withdrawal memory w, bytes memory signature) private {
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        a.withdrawWithSig(w, signature);
    }
}
