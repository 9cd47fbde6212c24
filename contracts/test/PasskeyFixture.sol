// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";

import {PasskeyWallet} from "../src/PasskeyWallet.sol";
import {PasskeyWalletFactory} from "../src/PasskeyWalletFactory.sol";
import {Batch, Call} from "../src/SignedBatch.sol";
import {Fixture} from "./Fixture.sol";

abstract contract PasskeyFixture is Fixture {
    uint256 internal constant PASSKEY = 0x9A55;
    uint256 internal constant SECOND = 0x9A56;
    uint256 private constant N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551;
    bytes1 internal constant FLAGS = 0x1d; // present, verified, backed up

    /// What an authenticator signs besides the challenge.
    struct Ceremony {
        string kind;
        string origin;
        bytes1 flags;
        bool isHighS;
        bool isFramed; // by another site
    }

    PasskeyWalletFactory internal passkeys;
    PasskeyWallet internal wallet;
    PasskeyWallet internal otherWallet;
    bytes32 internal qx;
    bytes32 internal qy;

    function setUp() public virtual override {
        super.setUp();
        passkeys = PasskeyWalletFactory(_create("PasskeyWalletFactory", ""));
        (qx, qy) = _keyOf(PASSKEY);
        wallet = PasskeyWallet(payable(passkeys.createWallet(qx, qy)));
        (bytes32 x, bytes32 y) = _keyOf(SECOND);
        otherWallet = PasskeyWallet(payable(passkeys.createWallet(x, y)));
    }

    function _keyOf(uint256 key) internal pure returns (bytes32, bytes32) {
        (uint256 x, uint256 y) = vm.publicKeyP256(key);
        return (bytes32(x), bytes32(y));
    }

    function _idOf(bytes32 x, bytes32 y) internal pure returns (bytes32) {
        return keccak256(abi.encode(x, y));
    }

    function _idOf(address owning) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(owning)));
    }

    function _usual() internal pure returns (Ceremony memory) {
        return Ceremony("webauthn.get", "https://crossbook.example", FLAGS, false, false);
    }

    function _assert(uint256 key, bytes32 challenge) internal pure returns (bytes memory) {
        return _assert(key, challenge, _usual());
    }

    function _assert(uint256 key, bytes32 challenge, Ceremony memory c) internal pure returns (bytes memory) {
        string memory clientData = string.concat(
            '{"type":"', c.kind, '","challenge":"', Base64.encodeURL(abi.encodePacked(challenge)),
            '","origin":"', c.origin, c.isFramed ? '","crossOrigin":true}' : '","crossOrigin":false}'
        );
        bytes memory authData = abi.encodePacked(sha256("crossbook.example"), c.flags, bytes4(0));
        (bytes32 r, bytes32 s) = vm.signP256(key, sha256(abi.encodePacked(authData, sha256(bytes(clientData)))));
        if ((uint256(s) > N / 2) != c.isHighS) s = bytes32(N - uint256(s));
        (bytes32 x, bytes32 y) = _keyOf(key);
        uint256 challengeIndex = 11 + bytes(c.kind).length;
        return abi.encodePacked(x, y, abi.encode(r, s, challengeIndex, uint256(1), authData, clientData));
    }

    function _walletDigest(PasskeyWallet w, bytes32 structHash) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Crossbook Passkey"),
                keccak256("1"),
                block.chainid,
                w
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    /// What a wallet's owner signs for a hash.
    function _wrapped(PasskeyWallet w, bytes32 hash) internal view returns (bytes32) {
        return _walletDigest(w, keccak256(abi.encode(keccak256("Message(bytes32 hash)"), hash)));
    }

    function _isValid(PasskeyWallet w, bytes32 hash, bytes memory signature) internal view returns (bool) {
        return w.isValidSignature(hash, signature) == IERC1271.isValidSignature.selector;
    }

    function _call(address to, bytes memory data) internal view returns (Batch memory b) {
        b.calls = new Call[](1);
        b.calls[0] = Call(to, 0, data);
        b.nonce = wallet.batchNonce();
        b.deadline = vm.getBlockTimestamp() + 60;
    }

    /// The digest of a batch of the wallet itself, whose struct is that of an account's batch.
    function _ownDigest(PasskeyWallet w, Batch memory b) internal view returns (bytes32) {
        return _walletDigest(w, _batchHash(b));
    }

    function _batchHash(Batch memory b) internal pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](b.calls.length);
        bytes32 callType = keccak256("Call(address to,uint256 value,bytes data)");
        for (uint256 i; i < hashes.length; ++i) {
            Call memory c = b.calls[i];
            hashes[i] = keccak256(abi.encode(callType, c.to, c.value, keccak256(c.data)));
        }
        bytes32 batchType = keccak256(
            "Batch(Call[] calls,uint256 gas,uint64 nonce,uint256 deadline)Call(address to,uint256 value,bytes data)"
        );
        bytes32 calls = keccak256(abi.encodePacked(hashes));
        return keccak256(abi.encode(batchType, calls, b.gas, b.nonce, b.deadline));
    }

    function _execute(uint256 key, address to, bytes memory data) internal {
        Batch memory b = _call(to, data);
        wallet.executeWithSig(b, _assert(key, _ownDigest(wallet, b)));
    }
}
