// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PasskeyWallet} from "../src/PasskeyWallet.sol";
import {PasskeyWalletFactory} from "../src/PasskeyWalletFactory.sol";
import {Order} from "../src/SwapTypes.sol";
import {Batch} from "../src/SignedBatch.sol";
import {Grant, TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {PasskeyFixture} from "./PasskeyFixture.sol";

contract PasskeyAccountTest is PasskeyFixture {
    TradingAccount private owned;
    uint256 private constant FRESH = 0x9A57;
    address private freshWallet;

    function setUp() public override {
        super.setUp();
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        freshWallet = passkeys.addressOf(x, y);
        owned = TradingAccount(payable(factory.addressOf(freshWallet)));
        _fund(address(owned), 100e6);
    }

    function _signed(bytes32 digest) private view returns (bytes memory) {
        return _assert(FRESH, _wrapped(PasskeyWallet(payable(freshWallet)), digest));
    }

    function _createAndCall(bytes memory data) private {
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        vm.prank(stranger);
        passkeys.createAndCall(x, y, address(factory), data);
    }

    function test_oneTransactionMakesWalletAccountAndGrant() public {
        Grant memory g = _defaultGrant(owned);
        bytes memory signature = _signed(_grantDigest(address(owned), g));
        bytes memory data = abi.encodeCall(factory.createAndGrant, (freshWallet, g, signature));
        _createAndCall(data);
        _createAndCall(data); // whoever was first, it succeeds
        assert(owned.owner() == freshWallet && freshWallet.code.length > 0);
        Order memory o = _buy(address(owned), 1e6, 1e6);
        assert(_requestFor(o));
        _fill(o, 1e6, 1e6);
        _eq(token.balanceOf(address(owned), yes), 1e6, "tokens");
    }

    function test_aRefusedCallKeepsItsReason() public {
        Grant memory g = _defaultGrant(owned);
        bytes memory signature = _signed(_grantDigest(address(account), g));
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        bytes memory data = abi.encodeCall(factory.createAndGrant, (freshWallet, g, signature));
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        passkeys.createAndCall(x, y, address(factory), data);
        assert(freshWallet.code.length == 0);
    }

    function test_theAccountsBatchesAndWithdrawalsBySignature() public {
        Batch memory b = _call(address(usdc), abi.encodeCall(usdc.transfer, (stranger, 1e6)));
        b.nonce = 0;
        bytes memory signature = _signed(_batchDigest(address(owned), b));
        _createAndCall(abi.encodeCall(factory.createAndExecute, (freshWallet, b, signature)));
        _eq(_usdc(stranger), 1e6, "batch");
        Withdrawal memory w =
            Withdrawal(address(usdc), 0, 2e6, stranger, bytes32("ref"), vm.getBlockTimestamp() + 60);
        owned.withdrawWithSig(w, _signed(_withdrawalDigest(address(owned), w)));
        _eq(_usdc(stranger), 3e6, "withdrawal");
    }

    function test_theAddressCommitsToTheKey() public {
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        vm.prank(stranger);
        assert(passkeys.createWallet(x, y) == freshWallet);
        assert(passkeys.createWallet(x, y) == freshWallet);
        (bytes32 storedX, bytes32 storedY) = PasskeyWallet(payable(freshWallet)).firstKey();
        assert(storedX == x && storedY == y);
        PasskeyWallet implementation = PasskeyWallet(payable(passkeys.implementation()));
        // What it reads as its key is its own code, which no one signs for.
        bytes32 digest = _wrapped(implementation, bytes32(0));
        assert(!_isValid(implementation, bytes32(0), _assert(FRESH, digest)));
    }

    /// An address can be occupied by nothing but the key's own wallet, whoever deploys it first.
    function test_aDeploymentByAStrangerHarmsNobody() public {
        _fund(freshWallet, 1e6);
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        vm.prank(stranger);
        passkeys.createWallet(x, y);
        PasskeyWallet squatted = PasskeyWallet(payable(freshWallet));
        bytes32[] memory ids = squatted.owners();
        assert(ids.length == 1 && ids[0] == _idOf(x, y));
        assert(!squatted.isOwnerAddress(stranger));
        Grant memory g = _defaultGrant(owned);
        bytes memory signature = _signed(_grantDigest(address(owned), g));
        _createAndCall(abi.encodeCall(factory.createAndGrant, (freshWallet, g, signature)));
        assert(owned.owner() == freshWallet);
        _eq(_usdc(freshWallet), 1e6, "what was there before");
        // Another factory makes another address.
        PasskeyWalletFactory foreign = new PasskeyWalletFactory();
        assert(foreign.addressOf(x, y) != freshWallet);
    }

    function test_pointsOffTheCurveAreRefused() public {
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        bytes32 off = bytes32(uint256(y) ^ 1);
        vm.expectRevert(PasskeyWalletFactory.InvalidKey.selector);
        passkeys.createWallet(x, off);
        vm.expectRevert(PasskeyWalletFactory.InvalidKey.selector);
        passkeys.createAndCall(x, off, address(factory), "");
        Batch memory b = _call(address(wallet), abi.encodeCall(wallet.addKey, (x, off)));
        bytes memory signature = _assert(PASSKEY, _ownDigest(wallet, b));
        vm.expectRevert(PasskeyWallet.InvalidOwner.selector);
        wallet.executeWithSig(b, signature);
    }
}
