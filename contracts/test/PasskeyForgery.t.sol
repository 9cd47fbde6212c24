// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PasskeyWallet} from "../src/PasskeyWallet.sol";
import {Batch} from "../src/SignedBatch.sol";
import {Grant, TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {PasskeyFixture} from "./PasskeyFixture.sol";

/// A corpus of forged signatures, each tried wherever a passkey's signature counts: the wallet's
/// ERC-1271, its own batches, and grant, withdrawal and batch of the account that it owns. The one
/// right signature, from which each forgery differs in one thing, is accepted everywhere.
contract PasskeyForgeryTest is PasskeyFixture {
    uint256 private constant ATTACKER = 0xBAD;

    /// Which digest and key a forgery signs, and what it changes.
    struct Forgery {
        string name;
        function(PasskeyWallet, bytes32) internal view returns (bytes memory) make;
    }

    TradingAccount private owned;
    Forgery[] private corpus;

    function setUp() public override {
        super.setUp();
        owned = TradingAccount(payable(factory.createAccount(address(wallet))));
        _fund(address(owned), 100e6);
        _fund(address(wallet), 100e6);
        // The same key is an owner of both wallets.
        vm.prank(address(otherWallet));
        otherWallet.addKey(qx, qy);
        corpus.push(Forgery("high s", _highS));
        corpus.push(Forgery("no user verification", _unverified));
        corpus.push(Forgery("no user presence", _absent));
        corpus.push(Forgery("backed up but not eligible", _badBackup));
        corpus.push(Forgery("type create", _created));
        corpus.push(Forgery("type of a payment", _payment));
        corpus.push(Forgery("type at another index", _wrongTypeIndex));
        corpus.push(Forgery("challenge at another index", _wrongChallengeIndex));
        corpus.push(Forgery("index out of bounds", _hugeIndex));
        corpus.push(Forgery("struct cut", _cut));
        corpus.push(Forgery("key alone", _keyAlone));
        corpus.push(Forgery("nothing", _nothing));
        corpus.push(Forgery("key off the curve", _offCurve));
        corpus.push(Forgery("zero key", _zeroKey));
        corpus.push(Forgery("a key that is no owner", _stranger));
        corpus.push(Forgery("the owner's key with another's signature", _borrowedKey));
        corpus.push(Forgery("zero r and s", _zeroSignature));
        corpus.push(Forgery("another chain", _otherChain));
        corpus.push(Forgery("another wallet with the same owner", _otherWallet));
        corpus.push(Forgery("an address that is no owner", _strangersAddress));
        corpus.push(Forgery("the address of the wallet itself", _ownAddress));
        corpus.push(Forgery("the identity precompile as an owner", _precompile));
    }

    // ---------------------------------------------------------------- forgeries

    function _ceremony(string memory kind, bytes1 flags, bool isHighS) private pure returns (Ceremony memory) {
        return Ceremony(kind, "https://crossbook.example", flags, isHighS, false);
    }

    function _right(bytes32 digest) private pure returns (bytes memory) {
        return _assert(PASSKEY, digest);
    }

    function _highS(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _assert(PASSKEY, digest, _ceremony("webauthn.get", FLAGS, true));
    }

    function _unverified(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _assert(PASSKEY, digest, _ceremony("webauthn.get", 0x19, false));
    }

    function _absent(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _assert(PASSKEY, digest, _ceremony("webauthn.get", 0x1c, false));
    }

    function _badBackup(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _assert(PASSKEY, digest, _ceremony("webauthn.get", 0x15, false));
    }

    function _created(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _assert(PASSKEY, digest, _ceremony("webauthn.create", FLAGS, false));
    }

    function _payment(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _assert(PASSKEY, digest, _ceremony("payment.get", FLAGS, false));
    }

    function _word(bytes memory signature, uint256 index, uint256 value) private pure returns (bytes memory) {
        assembly {
            mstore(add(add(signature, 0x20), mul(index, 0x20)), value)
        }
        return signature;
    }

    function _wrongChallengeIndex(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _word(_right(digest), 4, 22);
    }

    function _wrongTypeIndex(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _word(_right(digest), 5, 2);
    }

    function _hugeIndex(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _word(_right(digest), 4, type(uint256).max);
    }

    function _short(bytes memory signature, uint256 length) private pure returns (bytes memory) {
        assembly {
            mstore(signature, length)
        }
        return signature;
    }

    function _cut(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        bytes memory signature = _right(digest);
        return _short(signature, signature.length - 64);
    }

    function _keyAlone(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _short(_right(digest), 64);
    }

    function _nothing(PasskeyWallet, bytes32) internal pure returns (bytes memory) {
        return "";
    }

    function _offCurve(PasskeyWallet, bytes32 digest) internal view returns (bytes memory) {
        return _word(_right(digest), 1, uint256(qy) ^ 1);
    }

    function _zeroKey(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _word(_word(_right(digest), 0, 0), 1, 0);
    }

    function _stranger(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _assert(ATTACKER, digest);
    }

    function _borrowedKey(PasskeyWallet, bytes32 digest) internal view returns (bytes memory) {
        return _word(_word(_assert(ATTACKER, digest), 0, uint256(qx)), 1, uint256(qy));
    }

    function _zeroSignature(PasskeyWallet, bytes32 digest) internal pure returns (bytes memory) {
        return _word(_word(_right(digest), 2, 0), 3, 0);
    }

    function _otherChain(PasskeyWallet w, bytes32 digest) internal view returns (bytes memory) {
        return _right(_inDomain(w, digest, block.chainid + 1));
    }

    function _otherWallet(PasskeyWallet, bytes32 digest) internal view returns (bytes memory) {
        return _right(_inDomain(otherWallet, digest, block.chainid));
    }

    function _strangersAddress(PasskeyWallet, bytes32 digest) internal view returns (bytes memory) {
        return abi.encodePacked(_idOf(owner), _sign(OWNER_KEY, digest));
    }

    function _ownAddress(PasskeyWallet w, bytes32 digest) internal pure returns (bytes memory) {
        return abi.encodePacked(_idOf(address(w)), _right(digest));
    }

    function _precompile(PasskeyWallet, bytes32) internal pure returns (bytes memory) {
        return abi.encodePacked(_idOf(address(4)), bytes32(0));
    }

    /// The domains of what the tests sign, kept beside the digests so that forgeries can move them.
    bytes32 private structHash;

    function _inDomain(PasskeyWallet w, bytes32, uint256 chainId) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Crossbook Passkey"),
                keccak256("1"),
                chainId,
                w
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    /// What the wallet's owner signs for a hash, as `_wrapped`.
    function _ask(bytes32 hash) private returns (bytes32) {
        structHash = keccak256(abi.encode(keccak256("Message(bytes32 hash)"), hash));
        return _inDomain(wallet, 0, block.chainid);
    }

    // ---------------------------------------------------------------- where they are tried

    function test_forgeriesAreFalseForEveryContractThatAsks() public {
        bytes32 hash = keccak256("hash");
        bytes32 digest = _ask(hash);
        assert(_isValid(wallet, hash, _right(digest)));
        for (uint256 i; i < corpus.length; ++i) {
            assert(!_isValid(wallet, hash, corpus[i].make(wallet, digest)));
        }
    }

    function test_forgeriesMoveNothingOfTheWallet() public {
        Batch memory b = _call(address(usdc), abi.encodeCall(usdc.transfer, (stranger, 1e6)));
        bytes32 digest = _ownDigest(wallet, b);
        structHash = _batchHash(b);
        assert(_inDomain(wallet, 0, block.chainid) == digest);
        for (uint256 i; i < corpus.length; ++i) {
            bytes memory forged = corpus[i].make(wallet, digest);
            vm.expectRevert(PasskeyWallet.InvalidSignature.selector);
            wallet.executeWithSig(b, forged);
        }
        _eq(_usdc(stranger), 0, "moved");
        wallet.executeWithSig(b, _right(digest));
        _eq(_usdc(stranger), 1e6, "moved by the right one");
    }

    function test_forgeriesWithdrawNothingFromTheAccount() public {
        Withdrawal memory w =
            Withdrawal(address(usdc), 0, 2e6, stranger, bytes32("ref"), vm.getBlockTimestamp() + 60);
        bytes32 digest = _ask(_withdrawalDigest(address(owned), w));
        for (uint256 i; i < corpus.length; ++i) {
            bytes memory forged = corpus[i].make(wallet, digest);
            vm.expectRevert(TradingAccount.InvalidSignature.selector);
            owned.withdrawWithSig(w, forged);
        }
        owned.withdrawWithSig(w, _right(digest));
        _eq(_usdc(stranger), 2e6, "withdrawn by the right one");
    }

    function test_forgeriesGrantNothing() public {
        Grant memory g = _defaultGrant(owned);
        bytes32 digest = _ask(_grantDigest(address(owned), g));
        for (uint256 i; i < corpus.length; ++i) {
            bytes memory forged = corpus[i].make(wallet, digest);
            vm.expectRevert(TradingAccount.InvalidSignature.selector);
            owned.setGrant(g, forged);
        }
        owned.setGrant(g, _right(digest));
    }

    function test_forgeriesExecuteNothingOfTheAccount() public {
        Batch memory b = _call(address(usdc), abi.encodeCall(usdc.transfer, (stranger, 1e6)));
        b.nonce = 0;
        bytes32 digest = _ask(_batchDigest(address(owned), b));
        for (uint256 i; i < corpus.length; ++i) {
            bytes memory forged = corpus[i].make(wallet, digest);
            vm.expectRevert(TradingAccount.InvalidSignature.selector);
            owned.executeWithSig(b, forged);
        }
        owned.executeWithSig(b, _right(digest));
        _eq(_usdc(stranger), 1e6, "moved by the right one");
    }

    /// A login, a withdrawal and a batch of one wallet: no signature of one counts as another.
    function test_aLoginIsNoWithdrawal() public {
        Withdrawal memory w =
            Withdrawal(address(usdc), 0, 2e6, stranger, bytes32("ref"), vm.getBlockTimestamp() + 60);
        bytes32 digest = _withdrawalDigest(address(owned), w);
        // A site that has the owner sign the withdrawal's digest as its login's challenge.
        bytes memory asChallenge = _right(digest);
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        owned.withdrawWithSig(w, asChallenge);
        // The login of Crossbook itself: a message of ERC-191, under the wallet's domain.
        bytes32 login = keccak256("\x19Ethereum Signed Message:\n5login");
        bytes memory asLogin = _right(_ask(login));
        assert(_isValid(wallet, login, asLogin));
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        owned.withdrawWithSig(w, asLogin);
    }

    /// Without the precompile OpenZeppelin's Solidity verifies: right as before, forged no less.
    function test_withoutThePrecompileTheSameCounts() public {
        bytes32 hash = keccak256("hash");
        bytes32 digest = _ask(hash);
        bytes memory right = _right(digest);
        uint256 before = gasleft();
        assert(_isValid(wallet, hash, right));
        uint256 usual = before - gasleft();
        vm.mockCall(address(0x100), "", ""); // as an address without the precompile
        before = gasleft();
        assert(_isValid(wallet, hash, right));
        assert(before - gasleft() > usual);
        for (uint256 i; i < corpus.length; ++i) {
            assert(!_isValid(wallet, hash, corpus[i].make(wallet, digest)));
        }
    }
}
