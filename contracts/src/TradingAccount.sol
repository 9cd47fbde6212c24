// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {ERC4337Utils} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {IEntryPoint} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {AbstractSigner} from "@openzeppelin/contracts/utils/cryptography/signers/AbstractSigner.sol";
import {ERC7739} from "@openzeppelin/contracts/utils/cryptography/signers/draft-ERC7739.sol";
import {ERC165Checker} from "@openzeppelin/contracts/utils/introspection/ERC165Checker.sol";

import {OutcomeToken} from "./OutcomeToken.sol";
import {Batch, SignedBatch} from "./SignedBatch.sol";
import {SwapVault} from "./SwapVault.sol";
import {OPERATOR, Order} from "./SwapTypes.sol";

/// The owner's permission for an operator. All caps are micro-dollars; an outcome token counts as a
/// whole dollar, the most it can be worth. With a session key, the operator opens only orders that this
/// key signed, or one that the owner added to the grant, and withdraws to the owner only.
struct Grant {
    address operator; // the vault: every holder of its OPERATOR role; or any single address
    uint48 validUntil; // last second of validity
    bool withdrawAnywhere; // else the operator withdraws to the owner only
    uint64 maxPerOrder;
    uint64 maxPerDay;
    uint64 maxWithdrawPerDay; // to addresses other than the owner's
    uint64 nonce;
    uint8 keyKind; // 0 none, 1 P-256, 2 secp256k1
    bytes32 key; // P-256: keccak256 of x and y; secp256k1: the key's address
}

/// One withdrawal signed by the owner. `token` zero is the chain's currency; `tokenId` is read for
/// ERC-1155 tokens only. `ref` can be used once.
struct Withdrawal {
    address token;
    uint256 tokenId;
    uint256 amount;
    address to;
    bytes32 ref;
    uint256 deadline;
}

/// A smart account: a clone whose code contains its owner, so its address commits to the owner. The
/// owner can do anything, by transaction, user operation or signature. An operator can do what the
/// recorded grant allows, and can only return other assets to the owner.
contract TradingAccount is Account, ERC7821, ERC7739, ERC1155Holder {
    using SafeERC20 for IERC20;

    bytes32 private constant GRANT_TYPEHASH = keccak256(
        "Grant(address operator,uint48 validUntil,bool withdrawAnywhere,uint64 maxPerOrder,uint64 maxPerDay,uint64 maxWithdrawPerDay,uint64 nonce,uint8 keyKind,bytes32 key)"
    );
    bytes32 private constant ORDER_TYPEHASH = keccak256(
        "Order(address account,address receiver,bytes32 marketKey,uint8 outcome,bool isBuy,uint128 quantity,uint128 quoteLimit,uint64 expiry,bytes32 clientRef,uint128 salt)"
    );
    bytes32 private constant END_TYPEHASH = keccak256(
        "End(Order order)Order(address account,address receiver,bytes32 marketKey,uint8 outcome,bool isBuy,uint128 quantity,uint128 quoteLimit,uint64 expiry,bytes32 clientRef,uint128 salt)"
    );
    bytes32 private constant WITHDRAWAL_TYPEHASH = keccak256(
        "Withdrawal(address token,uint256 tokenId,uint256 amount,address to,bytes32 ref,uint256 deadline)"
    );

    /// A grant as stored: one slot, and one more each for an operator other than the vault and for a
    /// session key.
    struct Terms {
        uint64 maxPerOrder;
        uint64 maxPerDay;
        uint64 maxWithdrawPerDay;
        uint32 validUntil; // until the year 2106
        uint24 nextNonce;
        uint8 flags;
    }

    uint8 private constant WITHDRAW_ANYWHERE = 1;
    uint8 private constant SINGLE_OPERATOR = 2; // `_singleOperator`, not the vault
    uint8 private constant KEY_KIND_SHIFT = 2; // the bits above the flags

    uint8 private constant NO_KEY = 0;
    uint8 private constant P256_KEY = 1;
    uint8 private constant SECP256K1_KEY = 2;
    uint8 private constant REMOVED_KEY = 3;

    struct Usage {
        uint64 day; // UTC, since 1970
        uint64 ordered;
        uint64 withdrawn;
        uint64 unused; // avoids masking when the slot is written
    }

    SwapVault public immutable vault;
    IERC20 public immutable usdc;
    OutcomeToken public immutable outcomeToken;
    address private immutable settlement;

    Terms private _terms;
    address private _singleOperator;
    /// The nonce of the next signed batch. Independent of the grant's.
    uint64 public batchNonce;
    Usage private _usage;
    /// The key that the grant itself names; zero once it is removed.
    bytes32 private _sessionKey;
    /// What became of further keys of each grant: their kind, or removed for good.
    mapping(uint256 nextNonce => mapping(bytes32 key => uint8 kind)) private _furtherKeys;

    /// References of past withdrawals, so that none happens twice.
    mapping(bytes32 ref => bool) public refUsed;

    event GrantSet(
        address indexed operator,
        uint48 validUntil,
        bool withdrawAnywhere,
        uint64 maxPerOrder,
        uint64 maxPerDay,
        uint64 maxWithdrawPerDay,
        uint64 nonce,
        uint8 keyKind,
        bytes32 key
    );
    event GrantRevoked(uint64 nextNonce);
    event SessionKeyAdded(uint64 grantNonce, uint8 keyKind, bytes32 indexed key);
    event SessionKeyRemoved(uint64 grantNonce, bytes32 indexed key);
    event BatchExecuted(uint64 nonce, bytes32 indexed digest);
    event Withdrawn(
        address indexed token, uint256 tokenId, uint256 amount, address indexed to, bytes32 indexed ref
    );

    error OnlyOwner();
    error OnlyOperator();
    error InvalidSignature();
    error BadNonce(uint64 expected);
    error GrantExpired();
    error GrantTooLong();
    error SignatureExpired();
    error BadSessionKey();
    error BadOrder();
    error OrderNotSigned();
    error OverOrderCap(uint256 amount, uint256 cap);
    error OverDayCap(uint256 amount, uint256 cap);
    error OverWithdrawCap(uint256 amount, uint256 cap);
    error DestinationNotAllowed();
    error RefUsed(bytes32 ref);
    error ZeroAmount();

    /// Deployed once by the factory; the accounts are its clones.
    constructor(SwapVault vault_) EIP712("Crossbook Account", "1") {
        vault = vault_;
        usdc = vault_.usdc();
        outcomeToken = vault_.outcomeToken();
        settlement = address(vault_.settlement());
    }

    // ---------------------------------------------------------------- owner

    /// Read from the clone's own code. On the implementation itself this reverts: it has no owner.
    function owner() public view returns (address) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (address));
    }

    /// The recorded grant; its nonce is the last one used. All zero without one.
    function grant() external view returns (Grant memory) {
        Terms memory t = _terms;
        uint8 keyKind = t.flags >> KEY_KIND_SHIFT;
        return Grant({
            operator: t.validUntil == 0 ? address(0) : _operatorOf(t),
            validUntil: t.validUntil,
            withdrawAnywhere: _mayWithdrawAnywhere(t),
            maxPerOrder: t.maxPerOrder,
            maxPerDay: t.maxPerDay,
            maxWithdrawPerDay: t.maxWithdrawPerDay,
            nonce: t.nextNonce == 0 ? 0 : t.nextNonce - 1,
            keyKind: keyKind,
            key: keyKind == NO_KEY ? bytes32(0) : _sessionKey
        });
    }

    /// The nonce that the next grant must carry. Starts at 0; revoking skips one.
    function grantNonce() external view returns (uint64) {
        return _terms.nextNonce;
    }

    /// Replaces the grant. Anyone may send the owner's signature; the owner needs none.
    function setGrant(Grant calldata signed, bytes calldata signature) external {
        Grant memory g = signed;
        uint24 expected = _terms.nextNonce;
        if (g.nonce != expected) revert BadNonce(expected);
        if (g.validUntil < block.timestamp) revert GrantExpired();
        if (g.validUntil > type(uint32).max) revert GrantTooLong();
        address owner_ = owner();
        if (msg.sender != owner_ && msg.sender != address(this)) {
            _requireSignature(owner_, keccak256(abi.encode(GRANT_TYPEHASH, g)), signature);
        }
        uint8 flags = g.withdrawAnywhere ? WITHDRAW_ANYWHERE : 0;
        if (g.operator != address(vault)) {
            flags |= SINGLE_OPERATOR;
            _singleOperator = g.operator;
        }
        if (g.keyKind == NO_KEY) {
            if (g.key != 0) revert BadSessionKey();
        } else {
            if (g.keyKind > SECP256K1_KEY || g.key == 0 || g.withdrawAnywhere) revert BadSessionKey();
            flags |= g.keyKind << KEY_KIND_SHIFT;
            _sessionKey = g.key;
        }
        _terms = Terms({
            maxPerOrder: g.maxPerOrder,
            maxPerDay: g.maxPerDay,
            maxWithdrawPerDay: g.maxWithdrawPerDay,
            validUntil: uint32(g.validUntil),
            nextNonce: expected + 1,
            flags: flags
        });
        emit GrantSet(
            g.operator,
            g.validUntil,
            g.withdrawAnywhere,
            g.maxPerOrder,
            g.maxPerDay,
            g.maxWithdrawPerDay,
            g.nonce,
            g.keyKind,
            g.key
        );
    }

    /// Ends the grant, and every signed grant that is not recorded yet.
    function revoke() external {
        if (!_isOwnerOrSelf(msg.sender)) revert OnlyOwner();
        uint24 next = _terms.nextNonce;
        if (next < type(uint24).max) ++next; // at the last one no further grant is possible
        _terms = Terms(0, 0, 0, 0, next, 0);
        emit GrantRevoked(next);
    }

    /// Lets another key sign orders under the recorded grant, which must name one itself. `nonce` is that
    /// grant's, so that no later grant gets the key. Ends with the grant; a removed key stays removed.
    function addSessionKey(uint64 nonce, uint8 keyKind, bytes32 key) external {
        if (!_isOwnerOrSelf(msg.sender)) revert OnlyOwner();
        Terms memory g = _liveGrant();
        _requireGrant(g, nonce);
        if (g.flags >> KEY_KIND_SHIFT == NO_KEY || keyKind == NO_KEY) revert BadSessionKey();
        if (keyKind > SECP256K1_KEY || key == 0) revert BadSessionKey();
        if (key == _sessionKey || _furtherKeys[g.nextNonce][key] != NO_KEY) revert BadSessionKey();
        _furtherKeys[g.nextNonce][key] = keyKind;
        emit SessionKeyAdded(nonce, keyKind, key);
    }

    /// Ends one key of the recorded grant, also one that was not added yet. The others go on.
    function removeSessionKey(uint64 nonce, bytes32 key) external {
        if (!_isOwnerOrSelf(msg.sender)) revert OnlyOwner();
        Terms memory g = _liveGrant();
        _requireGrant(g, nonce);
        if (key == _sessionKey) _sessionKey = 0;
        _furtherKeys[g.nextNonce][key] = REMOVED_KEY;
        emit SessionKeyRemoved(nonce, key);
    }

    /// Under the recorded grant: 1 P-256, 2 secp256k1, 3 removed, 0 none of its keys.
    function sessionKeyKind(bytes32 key) external view returns (uint8 kind) {
        Terms memory g = _terms;
        kind = g.flags >> KEY_KIND_SHIFT;
        if (kind != NO_KEY && key != _sessionKey) kind = _furtherKeys[g.nextNonce][key];
    }

    /// Ends an order of this account by a session key's signature of `End`, whoever sends it: in half an
    /// hour, or at once if it has not opened. The owner needs no function for it but `execute`.
    function endWithSig(Order calldata order, bytes calldata signature) external {
        bytes32 structHash = keccak256(abi.encode(END_TYPEHASH, keccak256(abi.encode(ORDER_TYPEHASH, order))));
        if (!_isSignedBySession(_liveGrant(), structHash, signature)) revert InvalidSignature();
        vault.requestEnd(order);
    }

    /// Moves any asset to any address, once, by the owner's signature. No cap applies.
    function withdrawWithSig(Withdrawal calldata w, bytes calldata signature) external {
        if (block.timestamp > w.deadline) revert SignatureExpired();
        _requireSignature(
            owner(),
            keccak256(abi.encode(WITHDRAWAL_TYPEHASH, w.token, w.tokenId, w.amount, w.to, w.ref, w.deadline)),
            signature
        );
        _withdraw(w.token, w.tokenId, w.amount, w.to, w.ref);
    }

    /// Executes calls of the account, once, by the owner's signature. A call that fails fails all, and
    /// leaves the nonce unused.
    function executeWithSig(Batch calldata b, bytes calldata signature) external {
        if (block.timestamp > b.deadline) revert SignatureExpired();
        uint64 expected = batchNonce;
        if (b.nonce != expected) revert BadNonce(expected);
        bytes32 digest = _hashTypedDataV4(SignedBatch.hash(b));
        if (!_isSignature(owner(), digest, signature)) revert InvalidSignature();
        batchNonce = expected + 1;
        emit BatchExecuted(expected, digest);
        SignedBatch.execute(b);
    }

    // ---------------------------------------------------------------- operator

    /// Locks an order's input in the vault, within the caps. The vault calls this for its
    /// operators (`requestFor`) and checks its balance; another granted operator calls it directly.
    /// `signature` is a session key's over the whole order, if the grant names one: r, s, x, y of a
    /// P-256 key over the SHA-256 of the digest, as browsers sign; r, s, v of a secp256k1 key. It needs
    /// no nonce: the vault takes an order once.
    function operatorSwap(Order calldata order, bytes calldata signature) external {
        Terms memory g = _liveGrant();
        if (msg.sender != _operatorOf(g)) revert OnlyOperator();
        if (order.account != address(this)) revert BadOrder();
        if (order.receiver != address(this) && order.receiver != owner()) revert BadOrder();
        if (g.flags >> KEY_KIND_SHIFT != NO_KEY) {
            bytes32 structHash = keccak256(abi.encode(ORDER_TYPEHASH, order));
            if (!_isSignedBySession(g, structHash, signature)) revert OrderNotSigned();
        }
        uint256 input = order.isBuy ? order.quoteLimit : order.quantity;
        if (input > g.maxPerOrder) revert OverOrderCap(input, g.maxPerOrder);
        Usage memory usage = _today();
        uint256 ordered = usage.ordered + input;
        if (ordered > g.maxPerDay) revert OverDayCap(ordered, g.maxPerDay);
        usage.ordered = uint64(ordered);
        _usage = usage;

        if (msg.sender != address(vault)) {
            if (order.isBuy) usdc.forceApprove(address(vault), input);
            vault.request(order);
        } else if (order.isBuy) {
            usdc.safeTransfer(address(vault), input);
        } else {
            uint256 tokenId = vault.tokenIdOf(order.marketKey, order.outcome);
            outcomeToken.safeTransferFrom(address(this), address(vault), tokenId, input, "");
        }
    }

    /// Withdraws to the owner without a cap, and USDC and outcome tokens also to other addresses if the
    /// grant allows it, within the daily cap. `ref` works once, so a repeated call cannot pay twice.
    function operatorWithdraw(address token, uint256 tokenId, uint256 amount, address to, bytes32 ref) external {
        Terms memory g = _liveGrant();
        if (!_isOperator(_operatorOf(g), msg.sender)) revert OnlyOperator();
        if (to != owner()) {
            if (!_mayWithdrawAnywhere(g) || (token != address(usdc) && token != address(outcomeToken))) {
                revert DestinationNotAllowed();
            }
            Usage memory usage = _today();
            uint256 remaining = g.maxWithdrawPerDay > usage.withdrawn ? g.maxWithdrawPerDay - usage.withdrawn : 0;
            if (amount > remaining) revert OverWithdrawCap(amount, remaining);
            usage.withdrawn += uint64(amount);
            _usage = usage;
        }
        _withdraw(token, tokenId, amount, to, ref);
    }

    /// The rest of today's caps under a valid grant: for orders, and for withdrawals to other addresses.
    function remainingToday() external view returns (uint256 toOrder, uint256 toWithdraw) {
        Terms memory g = _terms;
        if (block.timestamp > g.validUntil) return (0, 0);
        Usage memory usage = _today();
        toOrder = g.maxPerDay > usage.ordered ? g.maxPerDay - usage.ordered : 0;
        if (!_mayWithdrawAnywhere(g)) return (toOrder, 0);
        toWithdraw = g.maxWithdrawPerDay > usage.withdrawn ? g.maxWithdrawPerDay - usage.withdrawn : 0;
    }

    // ---------------------------------------------------------------- internals

    function _liveGrant() private view returns (Terms memory g) {
        g = _terms;
        if (block.timestamp > g.validUntil) revert GrantExpired(); // also without a grant
    }

    function _operatorOf(Terms memory g) private view returns (address) {
        return g.flags & SINGLE_OPERATOR == 0 ? address(vault) : _singleOperator;
    }

    function _mayWithdrawAnywhere(Terms memory g) private pure returns (bool) {
        return g.flags & WITHDRAW_ANYWHERE != 0;
    }

    function _isOperator(address operator, address caller) private view returns (bool) {
        if (caller == operator) return true;
        return operator == address(vault) && IAccessControl(operator).hasRole(OPERATOR, caller);
    }

    function _requireGrant(Terms memory g, uint64 nonce) private pure {
        uint64 recorded = g.nextNonce - 1;
        if (nonce != recorded) revert BadNonce(recorded);
    }

    /// The key itself comes with a P-256 signature, so that its hash is all the account stores. Without
    /// the precompile that Base has, a P-256 signature is refused rather than checked for 240,000 gas.
    function _isSignedBySession(Terms memory g, bytes32 structHash, bytes calldata signature)
        private
        view
        returns (bool)
    {
        bytes32 digest = _hashTypedDataV4(structHash);
        if (signature.length != 128) {
            (address recovered,,) = ECDSA.tryRecoverCalldata(digest, signature);
            return recovered != address(0) && _maySign(g, SECP256K1_KEY, bytes32(uint256(uint160(recovered))));
        }
        if (!_maySign(g, P256_KEY, keccak256(signature[64:]))) return false;
        (bytes32 r, bytes32 s, bytes32 x, bytes32 y) =
            abi.decode(signature, (bytes32, bytes32, bytes32, bytes32));
        return P256.verifyNative(sha256(abi.encode(digest)), r, s, x, y);
    }

    function _maySign(Terms memory g, uint8 keyKind, bytes32 key) private view returns (bool) {
        if (g.flags >> KEY_KIND_SHIFT == keyKind && key == _sessionKey) return true;
        return _furtherKeys[g.nextNonce][key] == keyKind;
    }

    function _today() private view returns (Usage memory usage) {
        uint64 day = uint64(block.timestamp / 1 days);
        usage = _usage;
        if (usage.day != day) usage = Usage(day, 0, 0, 0);
    }

    function _withdraw(address token, uint256 tokenId, uint256 amount, address to, bytes32 ref) private {
        if (amount == 0) revert ZeroAmount();
        // The funds would be stuck or lost.
        if (to == address(0) || to == address(this)) revert DestinationNotAllowed();
        if (to == address(vault) || to == settlement) revert DestinationNotAllowed();
        if (refUsed[ref]) revert RefUsed(ref);
        refUsed[ref] = true;
        emit Withdrawn(token, tokenId, amount, to, ref);
        if (token == address(0)) {
            Address.sendValue(payable(to), amount);
        } else if (_isErc1155(token)) {
            IERC1155(token).safeTransferFrom(address(this), to, tokenId, amount, "");
        } else {
            IERC20(token).safeTransfer(to, amount);
        }
    }

    function _isErc1155(address token) private view returns (bool) {
        if (token == address(usdc)) return false;
        if (token == address(outcomeToken)) return true;
        return ERC165Checker.supportsInterface(token, type(IERC1155).interfaceId);
    }

    function _isOwnerOrSelf(address caller) private view returns (bool) {
        return caller == owner() || caller == address(this);
    }

    function _requireSignature(address signer, bytes32 structHash, bytes calldata signature) private view {
        if (!_isSignature(signer, _hashTypedDataV4(structHash), signature)) revert InvalidSignature();
    }

    /// Whether the signer's key signed or, for a signer with code, its ERC-1271 check accepts. The key
    /// comes first, so that owners who delegate their address to code (EIP-7702) can still sign.
    function _isSignature(address signer, bytes32 hash, bytes calldata signature) private view returns (bool) {
        (address recovered,,) = ECDSA.tryRecoverCalldata(hash, signature);
        if (recovered == signer) return true; // never zero, because the factory refuses such owners
        return signer.code.length > 0
            && SignatureChecker.isValidERC1271SignatureNowCalldata(signer, hash, signature);
    }

    // ---------------------------------------------------------------- ERC-4337, ERC-7821, ERC-1271

    /// EntryPoint 0.8, whose user operation hash is EIP-712 typed data that wallets can show.
    function entryPoint() public pure override returns (IEntryPoint) {
        return ERC4337Utils.ENTRYPOINT_V08;
    }

    function _rawSignatureValidation(bytes32 hash, bytes calldata signature)
        internal
        view
        override(AbstractSigner)
        returns (bool)
    {
        return _isSignature(owner(), hash, signature);
    }

    function _erc7821AuthorizedExecutor(address caller, bytes32, bytes calldata)
        internal
        view
        override
        returns (bool)
    {
        return _isOwnerOrSelf(caller) || caller == address(entryPoint());
    }
}
