// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {WebAuthn} from "@openzeppelin/contracts/utils/cryptography/WebAuthn.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

import {Batch, SignedBatch} from "./SignedBatch.sol";

/// A wallet whose owner is a passkey: a clone whose code contains the key's point (qx, qy), so its
/// address commits to the key. It owns a trading account as any address does. Further owners, passkeys
/// or addresses, have the same rights as the first. An owner's id is its address in 32 bytes, or the
/// hash of its key.
///
/// A signature starts with its owner: `qx ‖ qy ‖ abi.encode(WebAuthnAuth)` without the outer offset, or
/// the address in 32 bytes, followed by its signature. What owners sign is bound to this wallet, so
/// wallets with an owner in common share no signatures.
contract PasskeyWallet is IERC1271, ERC7821, EIP712, ERC1155Holder {
    using EnumerableSet for EnumerableSet.Bytes32Set;

    bytes32 private constant MESSAGE_TYPEHASH = keccak256("Message(bytes32 hash)");

    /// The nonce of the next signed batch.
    uint64 public batchNonce;
    bool private _isFirstRemoved;
    EnumerableSet.Bytes32Set private _further;

    event OwnerAdded(bytes32 indexed id);
    event OwnerRemoved(bytes32 indexed id);
    event BatchExecuted(uint64 nonce, bytes32 indexed digest);

    error OnlySelf();
    error InvalidOwner();
    error LastOwner();
    error InvalidSignature();
    error SignatureExpired();
    error BadNonce(uint64 expected);

    constructor() EIP712("Crossbook Passkey", "1") {}

    receive() external payable {}

    // ---------------------------------------------------------------- owners

    /// The first owner's key, read from the clone's own code. Means nothing on the implementation.
    function firstKey() public view returns (bytes32 qx, bytes32 qy) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (bytes32, bytes32));
    }

    /// The ids of all owners.
    function owners() external view returns (bytes32[] memory ids) {
        uint256 first = _isFirstRemoved ? 0 : 1;
        ids = new bytes32[](first + _further.length());
        if (first == 1) ids[0] = _firstId();
        for (uint256 i = first; i < ids.length; ++i) {
            ids[i] = _further.at(i - first);
        }
    }

    function isOwnerKey(bytes32 qx, bytes32 qy) external view returns (bool) {
        return _isOwner(_idOfKey(qx, qy));
    }

    function isOwnerAddress(address owner) public view returns (bool) {
        return _isOwner(_idOfAddress(owner));
    }

    function addKey(bytes32 qx, bytes32 qy) external {
        if (!P256.isValidPublicKey(qx, qy)) revert InvalidOwner();
        _add(_idOfKey(qx, qy));
    }

    function addAddress(address owner) external {
        // The wallet itself as an owner would ask itself without end.
        if (owner == address(0) || owner == address(this)) revert InvalidOwner();
        _add(_idOfAddress(owner));
    }

    /// Ends an owner's rights at once. The last owner cannot go.
    function removeOwner(bytes32 id) external {
        if (msg.sender != address(this)) revert OnlySelf();
        if (!_isOwner(id)) revert InvalidOwner();
        if (_further.length() + (_isFirstRemoved ? 0 : 1) == 1) revert LastOwner();
        if (id == _firstId()) _isFirstRemoved = true;
        else _further.remove(id);
        emit OwnerRemoved(id);
    }

    // ---------------------------------------------------------------- signatures

    /// Whether an owner signed `Message(hash)` under this wallet's domain.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bytes32 digest = _hashTypedDataV4(keccak256(abi.encode(MESSAGE_TYPEHASH, hash)));
        return _isSigned(digest, signature) ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// Executes calls of the wallet, once, by an owner's signature; anyone may send it. A call that
    /// fails fails all, and leaves the nonce unused.
    function executeWithSig(Batch calldata b, bytes calldata signature) external {
        if (block.timestamp > b.deadline) revert SignatureExpired();
        uint64 expected = batchNonce;
        if (b.nonce != expected) revert BadNonce(expected);
        bytes32 digest = _hashTypedDataV4(SignedBatch.hash(b));
        if (!_isSigned(digest, signature)) revert InvalidSignature();
        batchNonce = expected + 1;
        emit BatchExecuted(expected, digest);
        SignedBatch.execute(b);
    }

    // ---------------------------------------------------------------- internals

    function _add(bytes32 id) private {
        if (msg.sender != address(this)) revert OnlySelf();
        if (_isOwner(id)) revert InvalidOwner();
        if (id == _firstId()) _isFirstRemoved = false;
        else _further.add(id);
        emit OwnerAdded(id);
    }

    function _isOwner(bytes32 id) private view returns (bool) {
        return id == _firstId() ? !_isFirstRemoved : _further.contains(id);
    }

    function _firstId() private view returns (bytes32) {
        (bytes32 qx, bytes32 qy) = firstKey();
        return _idOfKey(qx, qy);
    }

    function _idOfKey(bytes32 qx, bytes32 qy) private pure returns (bytes32) {
        return keccak256(abi.encode(qx, qy));
    }

    function _idOfAddress(address owner) private pure returns (bytes32) {
        return bytes32(uint256(uint160(owner)));
    }

    function _isSigned(bytes32 digest, bytes calldata signature) private view returns (bool) {
        if (signature.length < 64) return false;
        bytes32 head = bytes32(signature);
        if (uint256(head) <= type(uint160).max) {
            return _isOwner(head)
                && SignatureChecker.isValidSignatureNowCalldata(address(uint160(uint256(head))), digest, signature[32:]);
        }
        bytes32 qy = bytes32(signature[32:]);
        if (!_isOwner(_idOfKey(head, qy))) return false;
        (bool isDecoded, WebAuthn.WebAuthnAuth calldata auth) = WebAuthn.tryDecodeAuth(signature[64:]);
        return isDecoded && WebAuthn.verify(abi.encodePacked(digest), auth, head, qy);
    }

    function _erc7821AuthorizedExecutor(address caller, bytes32, bytes calldata)
        internal
        view
        override
        returns (bool)
    {
        return caller == address(this) || isOwnerAddress(caller);
    }
}
