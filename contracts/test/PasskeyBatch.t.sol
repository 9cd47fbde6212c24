// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PasskeyWallet} from "../src/PasskeyWallet.sol";
import {Batch, SignedBatch} from "../src/SignedBatch.sol";
import {Vm} from "./Vm.sol";
import {PasskeyFixture} from "./PasskeyFixture.sol";

contract PasskeyBatchTest is PasskeyFixture {
    function _transfer(uint256 amount) private view returns (Batch memory) {
        return _call(address(usdc), abi.encodeCall(usdc.transfer, (stranger, amount)));
    }

    function setUp() public override {
        super.setUp();
        _fund(address(wallet), 10e6);
    }

    function test_worksOnceAndForThisWalletOnly() public {
        Batch memory b = _transfer(1e6);
        bytes memory signature = _assert(PASSKEY, _ownDigest(wallet, b));
        vm.expectRevert(PasskeyWallet.InvalidSignature.selector);
        otherWallet.executeWithSig(b, signature);
        vm.recordLogs();
        vm.prank(stranger);
        wallet.executeWithSig(b, signature);
        // By this the service finds what anyone has sent.
        Vm.Log memory executed = vm.getRecordedLogs()[0];
        assert(executed.emitter == address(wallet) && executed.topics[1] == _ownDigest(wallet, b));
        assert(executed.topics[0] == PasskeyWallet.BatchExecuted.selector);
        _eq(_usdc(stranger), 1e6, "moved");
        _eq(wallet.batchNonce(), 1, "nonce");
        vm.expectRevert(abi.encodeWithSelector(PasskeyWallet.BadNonce.selector, 1));
        wallet.executeWithSig(b, signature);
    }

    function test_isBoundToEverything() public {
        Batch memory b = _transfer(1e6);
        bytes memory signature = _assert(PASSKEY, _ownDigest(wallet, b));
        bytes4 invalid = PasskeyWallet.InvalidSignature.selector;
        b.calls[0].to = address(token);
        vm.expectRevert(invalid);
        wallet.executeWithSig(b, signature);
        b = _transfer(2e6);
        vm.expectRevert(invalid);
        wallet.executeWithSig(b, signature);
        b = _transfer(1e6);
        b.calls[0].value = 1;
        vm.expectRevert(invalid);
        wallet.executeWithSig(b, signature);
        b = _transfer(1e6);
        b.gas = 1;
        vm.expectRevert(invalid);
        wallet.executeWithSig(b, signature);
        b = _transfer(1e6);
        b.deadline += 1;
        vm.expectRevert(invalid);
        wallet.executeWithSig(b, signature);
        b = _transfer(1e6);
        wallet.executeWithSig(b, signature);
    }

    function test_expiresAndKeepsTheNonceOfWhatFails() public {
        Batch memory b = _transfer(11e6);
        bytes memory signature = _assert(PASSKEY, _ownDigest(wallet, b));
        vm.expectRevert(); // the token's reason
        wallet.executeWithSig(b, signature);
        _eq(wallet.batchNonce(), 0, "nonce");
        b = _transfer(1e6);
        signature = _assert(PASSKEY, _ownDigest(wallet, b));
        vm.warp(b.deadline + 1);
        vm.expectRevert(PasskeyWallet.SignatureExpired.selector);
        wallet.executeWithSig(b, signature);
        vm.warp(b.deadline);
        wallet.executeWithSig(b, signature);
    }

    function test_aSenderCannotStarveTheCalls() public {
        Batch memory b = _transfer(1e6);
        b.gas = 500_000;
        bytes memory signature = _assert(PASSKEY, _ownDigest(wallet, b));
        vm.expectRevert(SignedBatch.InsufficientGas.selector);
        wallet.executeWithSig{gas: 450_000}(b, signature);
        wallet.executeWithSig{gas: 900_000}(b, signature);
    }

    function test_holdsAndPaysEtherAndTokens() public {
        vm.deal(stranger, 1 ether);
        vm.prank(stranger);
        (bool ok,) = address(wallet).call{value: 1 ether}("");
        assert(ok);
        Batch memory b = _call(other, "");
        b.calls[0].value = 0.4 ether;
        wallet.executeWithSig(b, _assert(PASSKEY, _ownDigest(wallet, b)));
        _eq(other.balance, 0.4 ether, "ether");
        _acquire(address(account), MARKET, 0, 1e6);
        vm.prank(address(account));
        token.safeTransferFrom(address(account), address(wallet), yes, 1e6, "");
        _eq(token.balanceOf(address(wallet), yes), 1e6, "tokens");
    }
}
