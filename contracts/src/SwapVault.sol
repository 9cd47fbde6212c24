// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {LeakyBucket} from "./LeakyBucket.sol";
import {OutcomeToken} from "./OutcomeToken.sol";
import {Payments} from "./Payments.sol";
import {Settlement} from "./Settlement.sol";
import {ATTESTOR, Backing, Fill, ONE, OPERATOR, Order, PAUSER, Progress, RESOLVER} from "./SwapTypes.sol";

interface IOperatedAccount {
    function operatorSwap(Order calldata order, bytes calldata signature) external;
}

/// Escrow between USDC and outcome tokens. `request` locks an order's input; then the operator delivers
/// fills within its limits, in one or many parts, and the rest of the input is returned: with the last
/// fill, by the operator at any time, by anyone after the order's end. That is its expiry, or half an
/// hour after its account asks for the end. Settled markets are paid by the `Settlement`.
///
/// The USDC of this contract is always exactly what open buys have left of their limits, the
/// `claimable` credits, and `accrued`, which alone belongs to the service.
contract SwapVault is AccessControl, Payments, IERC1155Receiver {
    using SafeERC20 for IERC20;
    using SafeCast for uint256;

    bytes32 public constant OPERATOR_ROLE = OPERATOR;
    bytes32 public constant ATTESTOR_ROLE = ATTESTOR;
    bytes32 public constant RESOLVER_ROLE = RESOLVER;
    bytes32 public constant PAUSER_ROLE = PAUSER;

    /// An invitation, which `acceptTreasury` uses up.
    bytes32 private constant TREASURY_ROLE = keccak256("TREASURY");

    bytes32 private constant VENUE_ID = keccak256("kalshi");
    uint256 private constant MIN_TTL = 60 seconds;
    uint256 private constant MAX_TTL = 90 days;
    /// For fills that the exchange has made and the service has not delivered yet.
    uint256 private constant END_NOTICE = 30 minutes;
    /// A contract never costs more than a dollar; the exchange adds fees, rounded up to cents per fill.
    uint256 private constant FEE_ROUNDING = 50_000;
    /// A part may miss the order's price by a cent, for the same roundings; the totals may not.
    uint256 private constant PART_ROUNDING = 10_000;

    uint8 private constant NONE = 0;
    uint8 private constant OPEN = 1;
    uint8 private constant FILLED = 2;
    uint8 private constant REFUNDED = 3;
    uint8 private constant NEVER_OPENS = 4;

    uint256 private constant HOOK_GAS = 200_000; // of a receiver of tokens

    /// One slot, so that a fill or a redemption writes only it and the holder's balance.
    struct TokenState {
        uint56 supply;
        uint56 minted; // in total: neither a sale nor a redemption lowers it
        uint56 bought; // in total, at the exchange, as attested
        uint32 backedUntil; // the end of that attestation; works until 2106
        uint24 floor; // the least micro-dollars per contract that a mint must bring
        uint24 payout; // micro-dollars per contract, once settled
        bool settled;
    }

    OutcomeToken public immutable outcomeToken;
    Settlement public immutable settlement;

    // one slot, written by every buy
    uint64 public accrued;
    uint64 private mintCapacity; // USDC per hour
    uint64 private mintLevel;
    uint40 private mintedAt;
    bool public paused;

    // one slot, written by every sell
    uint64 private payoutCapacity; // USDC per hour
    uint64 private payoutLevel;
    uint40 private paidAt;

    // one slot, written by every settlement
    uint64 private settlementCapacity; // USDC per hour
    uint64 private settlementLevel;
    uint40 private settledAt;

    address public treasury;
    uint32 public settlementDelay = 1 hours;
    uint32 private maxBackingAge = 15 minutes;

    /// One slot, kept for ever, so that no order opens twice.
    mapping(bytes32 orderId => Progress) public progressOf;
    mapping(uint256 tokenId => TokenState) public tokens;
    mapping(address account => mapping(uint256 tokenId => uint256)) public claimableTokens;

    event OrderRequested(
        bytes32 indexed orderId, address indexed account, bytes32 indexed clientRef, Order order
    );
    event OrderRejected(bytes32 indexed orderId, bytes reason);
    /// What this fill adds, then what the order has reached with it. The order stays open.
    event OrderPartiallyFilled(
        bytes32 indexed orderId,
        address indexed account,
        bytes32 indexed clientRef,
        uint128 filledQuantity,
        uint128 quoteAmount,
        uint128 filledTotal,
        uint128 quoteTotal
    );
    /// The last fill, with the totals of the order.
    event OrderFilled(
        bytes32 indexed orderId,
        address indexed account,
        bytes32 indexed clientRef,
        uint128 filledQuantity,
        uint128 quoteAmount,
        uint128 returnedAmount
    );
    /// The input that no fill has used.
    event OrderRefunded(
        bytes32 indexed orderId, address indexed account, bytes32 indexed clientRef, uint128 amount
    );
    event OrderEndRequested(
        bytes32 indexed orderId, address indexed account, bytes32 indexed clientRef, uint40 endsAt
    );
    event FillFailed(bytes32 indexed orderId, bytes reason);
    event RefundFailed(bytes32 indexed orderId, bytes reason);
    event BackingAttested(uint256 indexed tokenId, uint256 bought, uint256 floor);
    event TokensCredited(address indexed account, uint256 indexed tokenId, uint256 amount);
    event TokensClaimed(address indexed account, uint256 indexed tokenId, uint256 amount, address to);
    event Swept(uint256 amount);
    event PauseChanged(bool paused);
    event TreasuryChanged(address treasury);
    event BucketsChanged(uint64 mintPerHour, uint64 payoutPerHour, uint64 settlementPerHour);
    event TimingsChanged(uint32 settlementDelay, uint32 maxBackingAge);

    error VaultPaused();
    error OnlyOrderAccount();
    error BadOutcome();
    error BadReceiver();
    error BadQuantity();
    error BadLimit();
    error BadExpiry();
    error BadStatus(uint8 status);
    error InputNotReceived();
    error OrderExpired();
    error OrderNotExpired();
    error EndAlreadyRequested();
    error NothingNew();
    error InputExceeded();
    error PriceOutsideLimit();
    error OverOneDollar();
    error BackingExceeded(uint256 minted, uint256 bought);
    error BackingStale(uint256 backedUntil);
    error BelowFloor(uint256 floor);
    error MarketSettled();
    error MarketNotSettled();
    error OnlyClaimant();
    error OnlySettlement();
    error UnexpectedTokens();
    error NotTreasuryOrAdmin();

    modifier whenNotPaused() {
        if (paused) revert VaultPaused();
        _;
    }

    modifier onlySettlement() {
        if (msg.sender != address(settlement)) revert OnlySettlement();
        _;
    }

    /// Starts with every limit at zero: nothing can be minted or paid out until `setBuckets`.
    constructor(IERC20 usdc_, address admin) Payments(usdc_) {
        if (admin == address(0)) revert ZeroAddress();
        outcomeToken = new OutcomeToken();
        settlement = new Settlement(usdc_);
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    // ---------------------------------------------------------------- orders

    /// Locks the input of the caller's own order: USDC by allowance, outcome tokens directly.
    function request(Order calldata order) external whenNotPaused nonReentrant returns (bytes32 orderId) {
        if (msg.sender != order.account) revert OnlyOrderAccount();
        orderId = _open(order);
        if (order.isBuy) {
            usdc.safeTransferFrom(order.account, address(this), order.quoteLimit);
        } else {
            outcomeToken.safeTransferFrom(
                order.account, address(this), tokenIdOf(order.marketKey, order.outcome), order.quantity, ""
            );
        }
        emit OrderRequested(orderId, order.account, order.clientRef, order);
    }

    /// Opens orders for accounts whose owner granted it; a grant that names a session key wants that
    /// key's signature, others take any. A refused order only emits `OrderRejected`.
    function requestFor(Order[] calldata orders, bytes[] calldata signatures)
        external
        onlyRole(OPERATOR_ROLE)
        whenNotPaused
        nonReentrant
        returns (bool[] memory accepted)
    {
        accepted = new bool[](orders.length);
        for (uint256 i; i < orders.length; ++i) {
            bytes memory reason;
            (accepted[i], reason) = _attempt(abi.encodeCall(this.requestTask, (orders[i], signatures[i])));
            if (!accepted[i]) emit OrderRejected(orderIdOf(orders[i]), reason);
        }
    }

    /// The account moves the input itself; only the vault's own balance proves it. Every other path
    /// that could raise that balance has the same reentrancy guard.
    function requestTask(Order calldata order, bytes calldata signature) external onlySelf {
        bytes32 orderId = _open(order);
        uint256 held = _inputHeld(order);
        IOperatedAccount(order.account).operatorSwap(order, signature);
        uint256 input = order.isBuy ? order.quoteLimit : order.quantity;
        if (_inputHeld(order) != held + input) revert InputNotReceived();
        emit OrderRequested(orderId, order.account, order.clientRef, order);
    }

    /// Delivers what the order's totals have grown by. The totals stay within its price after every
    /// fill, and each part within a cent of it. A last fill ends the order and returns the rest.
    function fill(Fill calldata f) external onlyRole(OPERATOR_ROLE) whenNotPaused nonReentrant {
        _fill(f);
    }

    /// Like `fill`, one by one: a failing fill emits `FillFailed` and leaves its order open.
    function fillBatch(Fill[] calldata fills) external onlyRole(OPERATOR_ROLE) whenNotPaused nonReentrant {
        for (uint256 i; i < fills.length; ++i) {
            (bool ok, bytes memory reason) = _attempt(abi.encodeCall(this.fillMember, (fills[i])));
            if (!ok) emit FillFailed(orderIdOf(fills[i].order), reason);
        }
    }

    function fillMember(Fill calldata f) external onlySelf {
        _fill(f);
    }

    /// Ends the caller's own order half an hour from now, however long its expiry and without the
    /// operator. What the exchange has filled can be delivered until then. One that has not opened
    /// ends at once: it never opens, whoever signed it. Works while paused.
    function requestEnd(Order calldata order) external nonReentrant {
        if (msg.sender != order.account) revert OnlyOrderAccount();
        bytes32 orderId = orderIdOf(order);
        uint40 endsAt = uint40(block.timestamp);
        if (progressOf[orderId].status == NONE) {
            progressOf[orderId].status = NEVER_OPENS;
        } else {
            if (_progressOfOpen(orderId).endsAt != 0) revert EndAlreadyRequested();
            endsAt = uint40(Math.min(block.timestamp + END_NOTICE, order.expiry));
            progressOf[orderId].endsAt = endsAt;
        }
        emit OrderEndRequested(orderId, order.account, order.clientRef, endsAt);
    }

    /// Ends an order and returns the rest of its input to the account. Works while paused.
    function refund(Order calldata order) external nonReentrant {
        _refund(order, hasRole(OPERATOR_ROLE, msg.sender));
    }

    /// Like `refund`, one by one: a failing refund emits `RefundFailed`.
    function refundBatch(Order[] calldata orders) external nonReentrant {
        bool early = hasRole(OPERATOR_ROLE, msg.sender);
        for (uint256 i; i < orders.length; ++i) {
            (bool ok, bytes memory reason) = _attempt(abi.encodeCall(this.refundTask, (orders[i], early)));
            if (!ok) emit RefundFailed(orderIdOf(orders[i]), reason);
        }
    }

    function refundTask(Order calldata order, bool early) external onlySelf {
        _refund(order, early);
    }

    /// 0 unknown, 1 open, 2 ended by its last fill, 3 ended by a refund, 4 ended before it opened.
    function statusOf(bytes32 orderId) external view returns (uint8) {
        return progressOf[orderId].status;
    }

    function orderIdOf(Order calldata order) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), order));
    }

    /// keccak256(abi.encode(VENUE_ID, marketKey, outcome)), without allocating memory.
    function tokenIdOf(bytes32 marketKey, uint8 outcome) public pure returns (uint256 tokenId) {
        bytes32 venueId = VENUE_ID;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, venueId)
            mstore(add(free, 0x20), marketKey)
            mstore(add(free, 0x40), and(outcome, 0xff))
            tokenId := keccak256(free, 0x60)
        }
    }

    function _open(Order calldata order) private returns (bytes32 orderId) {
        if (order.account == address(0)) revert ZeroAddress();
        if (order.receiver == address(0) || order.receiver == address(this)) revert BadReceiver();
        if (order.receiver == address(settlement)) revert BadReceiver();
        if (order.outcome > 1) revert BadOutcome();
        if (order.quantity == 0) revert BadQuantity();
        if (order.isBuy && order.quoteLimit == 0) revert BadLimit();
        if (order.expiry < block.timestamp + MIN_TTL || order.expiry > block.timestamp + MAX_TTL) {
            revert BadExpiry();
        }
        if (tokens[tokenIdOf(order.marketKey, order.outcome)].settled) revert MarketSettled();
        orderId = orderIdOf(order);
        uint8 status = progressOf[orderId].status;
        if (status != NONE) {
            if (status == NEVER_OPENS) revert EndAlreadyRequested();
            revert BadStatus(status);
        }
        progressOf[orderId].status = OPEN;
    }

    function _progressOfOpen(bytes32 orderId) private view returns (Progress memory progress) {
        progress = progressOf[orderId];
        if (progress.status != OPEN) revert BadStatus(progress.status);
    }

    /// The last second in which the order can be filled.
    function _lastSecond(Order calldata order, Progress memory progress) private pure returns (uint256) {
        return progress.endsAt == 0 ? order.expiry : progress.endsAt;
    }

    function _fill(Fill calldata f) private {
        Order calldata order = f.order;
        bytes32 orderId = orderIdOf(order);
        Progress memory before = _progressOfOpen(orderId);
        if (block.timestamp > _lastSecond(order, before)) revert OrderExpired();
        uint256 tokenId = tokenIdOf(order.marketKey, order.outcome);
        if (tokens[tokenId].settled) revert MarketSettled();
        Progress memory reached = Progress(f.isLast ? FILLED : OPEN, before.endsAt, f.filledTotal, f.quoteTotal);
        if (reached.filled <= before.filled || reached.charged < before.charged) revert NothingNew();
        progressOf[orderId] = reached;
        uint128 rest = _restOf(order, reached);
        uint104 filled;
        uint104 quote;
        unchecked {
            // they have grown
            (filled, quote) = (reached.filled - before.filled, reached.charged - before.charged);
        }
        _checkPrice(order, reached, filled, quote);
        if (order.isBuy) _fillBuy(order, tokenId, filled, quote);
        else _fillSell(order, tokenId, filled, quote);
        if (f.isLast) {
            _returnRest(order, tokenId, rest);
            emit OrderFilled(orderId, order.account, order.clientRef, reached.filled, reached.charged, rest);
        } else {
            emit OrderPartiallyFilled(
                orderId, order.account, order.clientRef, filled, quote, reached.filled, reached.charged
            );
        }
    }

    /// The totals keep the order's price, and this part keeps it within a cent.
    function _checkPrice(Order calldata order, Progress memory reached, uint256 filled, uint256 quote) private pure {
        uint256 quantity = order.quantity;
        uint256 limit = order.quoteLimit;
        bool isKept;
        unchecked {
            // no overflow: the factors have at most 104 and 128 bits
            isKept = order.isBuy
                ? reached.charged * quantity <= limit * reached.filled
                    && quote * quantity <= limit * filled + PART_ROUNDING * quantity
                : reached.charged * quantity >= limit * reached.filled
                    && (quote + PART_ROUNDING) * quantity >= limit * filled;
        }
        if (!isKept) revert PriceOutsideLimit();
    }

    /// A buy may bring more than its quantity, within its limit and its price.
    function _fillBuy(Order calldata order, uint256 tokenId, uint256 filled, uint256 quote) private {
        if (quote > filled + FEE_ROUNDING) revert OverOneDollar();
        _addSupply(tokenId, filled, quote);
        mintLevel = LeakyBucket.fill(mintCapacity, mintLevel, mintedAt, quote);
        mintedAt = uint40(block.timestamp);
        accrued = (uint256(accrued) + quote).toUint64();
        _mint(order, tokenId, filled);
    }

    function _fillSell(Order calldata order, uint256 tokenId, uint256 filled, uint256 quote) private {
        if (quote > filled) revert OverOneDollar();
        _usePayoutRoom(quote);
        _takeFunds(quote);
        _lowerSupply(tokens[tokenId], filled); // at most the escrow
        outcomeToken.burnFrom(address(this), tokenId, filled);
        _pay(order.receiver, order.account, quote);
    }

    function _refund(Order calldata order, bool early) private {
        bytes32 orderId = orderIdOf(order);
        Progress memory progress = _progressOfOpen(orderId);
        if (!early && block.timestamp <= _lastSecond(order, progress)) revert OrderNotExpired();
        progressOf[orderId].status = REFUNDED;
        uint128 rest = _restOf(order, progress);
        _returnRest(order, tokenIdOf(order.marketKey, order.outcome), rest);
        emit OrderRefunded(orderId, order.account, order.clientRef, rest);
    }

    /// The input that the fills have left. They cannot use more than there is.
    function _restOf(Order calldata order, Progress memory progress) private pure returns (uint128) {
        if (order.isBuy) {
            if (progress.charged > order.quoteLimit) revert InputExceeded();
            return order.quoteLimit - progress.charged;
        }
        if (progress.filled > order.quantity) revert InputExceeded();
        return order.quantity - progress.filled;
    }

    function _returnRest(Order calldata order, uint256 tokenId, uint256 amount) private {
        if (order.isBuy) _pay(order.account, order.account, amount);
        else _returnTokens(order.account, tokenId, amount);
    }

    function _inputHeld(Order calldata order) private view returns (uint256) {
        if (order.isBuy) return usdc.balanceOf(address(this));
        return outcomeToken.balanceOf(address(this), tokenIdOf(order.marketKey, order.outcome));
    }

    // ---------------------------------------------------------------- backing

    /// Records the service's total purchases at the exchange for each token id, and the lowest price
    /// of the undelivered ones. Total mints stay within the purchases, so a sale makes no room for
    /// another mint; no mint brings less than the lowest price; and both must not be older than
    /// `maxBackingAge`.
    function attestBacking(Backing[] calldata backings) external onlyRole(ATTESTOR_ROLE) {
        uint32 until = (block.timestamp + maxBackingAge).toUint32();
        for (uint256 i; i < backings.length; ++i) {
            Backing calldata b = backings[i];
            TokenState storage token = tokens[b.tokenId];
            (token.bought, token.floor, token.backedUntil) = (b.bought, b.floor, until);
            emit BackingAttested(b.tokenId, b.bought, b.floor);
        }
    }

    /// The supply of outcome tokens, including escrowed ones.
    function supplyOf(uint256 tokenId) external view returns (uint256) {
        return tokens[tokenId].supply;
    }

    function _addSupply(uint256 tokenId, uint256 amount, uint256 quote) private {
        TokenState storage token = tokens[tokenId];
        if (block.timestamp > token.backedUntil) revert BackingStale(token.backedUntil);
        uint256 minted = token.minted + amount;
        if (minted > token.bought) revert BackingExceeded(minted, token.bought);
        if (quote * ONE < token.floor * amount) revert BelowFloor(token.floor);
        assembly ("memory-safe") {
            sstore(token.slot, add(sload(token.slot), or(amount, shl(56, amount))))
        }
    }

    /// By no more than the supply, because the callers burn as much. `supply` and `minted` are the
    /// lowest fields of their slot, so such additions and subtractions change nothing else.
    function _lowerSupply(TokenState storage token, uint256 amount) private {
        assembly ("memory-safe") {
            sstore(token.slot, sub(sload(token.slot), amount))
        }
    }

    // ---------------------------------------------------------------- settlement

    /// Ends the trading of a market, fixes what a contract of each side pays, and hands the collateral
    /// of all its tokens to the settlement. Reverts above the hourly cap.
    function fixPayouts(bytes32 marketKey, uint24 payoutYes, uint24 payoutNo)
        external
        onlySettlement
        nonReentrant
        returns (uint256 collateral)
    {
        collateral = _fixPayout(marketKey, 0, payoutYes) + _fixPayout(marketKey, 1, payoutNo);
        settlementLevel = LeakyBucket.fill(settlementCapacity, settlementLevel, settledAt, collateral);
        settledAt = uint40(block.timestamp);
        _takeFunds(collateral);
        usdc.safeTransfer(address(settlement), collateral);
    }

    /// Burns a holder's tokens of a settled market; the settlement pays for them. Returns the amount
    /// burned, what the holder has left, and the payout of a contract. `amount` of type(uint256).max
    /// means the whole balance. Calls nothing but the token, so it needs no guard of its own.
    function burnPaid(address holder, bytes32 marketKey, uint8 outcome, uint256 amount)
        external
        onlySettlement
        returns (uint256 burned, uint256 left, uint256 payout)
    {
        if (holder == address(this)) revert BadReceiver(); // escrow and credits have their own functions
        uint256 tokenId = tokenIdOf(marketKey, outcome);
        TokenState storage token = tokens[tokenId];
        if (!token.settled) revert MarketNotSettled();
        burned = amount == type(uint256).max ? outcomeToken.balanceOf(holder, tokenId) : amount;
        payout = token.payout;
        _lowerSupply(token, burned); // the token reverts if the holder has less
        left = outcomeToken.burnFrom(holder, tokenId, burned);
    }

    /// Burns a holder's tokens of both sides and pays a dollar for each pair: from `accrued` if it
    /// covers all, else from the treasury. Counts as a sell's payout. `minted` and `bought` stay, so
    /// that this makes no room for a mint. Reverts if the holder has less or the payment fails.
    function payForPairs(address holder, bytes32 marketKey, uint256 amount)
        external
        onlySettlement
        whenNotPaused
        nonReentrant
        returns (bool byTreasury)
    {
        _usePayoutRoom(amount);
        (uint256 yes, uint256 no) = (tokenIdOf(marketKey, 0), tokenIdOf(marketKey, 1));
        _lowerSupply(tokens[yes], amount);
        _lowerSupply(tokens[no], amount);
        outcomeToken.burnPair(yes, no, holder, amount); // reverts if the holder has less
        uint256 earnings = accrued;
        byTreasury = amount > earnings;
        if (byTreasury) {
            usdc.safeTransferFrom(treasury, holder, amount);
        } else {
            accrued = uint64(earnings - amount);
            usdc.safeTransfer(holder, amount);
        }
    }

    /// Sets a token's payout, and returns the collateral for all its tokens.
    function _fixPayout(bytes32 marketKey, uint8 outcome, uint24 payout) private returns (uint256) {
        TokenState storage token = tokens[tokenIdOf(marketKey, outcome)];
        (token.settled, token.payout) = (true, payout);
        return Math.ceilDiv(uint256(token.supply) * payout, ONE);
    }

    // ---------------------------------------------------------------- moving funds

    /// Delivers outcome tokens that a receiver refused: anyone to the account, the account to any
    /// address.
    function claimTokens(address account, uint256 tokenId, address to) external nonReentrant {
        if (msg.sender != account && to != account) revert OnlyClaimant();
        uint256 amount = claimableTokens[account][tokenId];
        if (amount == 0) revert NothingToClaim();
        if (to == address(this)) revert BadReceiver();
        claimableTokens[account][tokenId] = 0;
        outcomeToken.safeTransferFrom(address(this), to, tokenId, amount, "");
        emit TokensClaimed(account, tokenId, amount, to);
    }

    /// Mints to the receiver; if it refuses, to the account; otherwise adds a credit.
    function _mint(Order calldata order, uint256 tokenId, uint256 amount) private {
        _requireGas(HOOK_GAS);
        try outcomeToken.mint{gas: HOOK_GAS}(order.receiver, tokenId, amount) {
            return;
        } catch {}
        if (order.receiver != order.account) {
            _requireGas(HOOK_GAS);
            try outcomeToken.mint{gas: HOOK_GAS}(order.account, tokenId, amount) {
                return;
            } catch {}
        }
        outcomeToken.mint(address(this), tokenId, amount);
        _creditTokens(order.account, tokenId, amount);
    }

    function _returnTokens(address account, uint256 tokenId, uint256 amount) private {
        if (amount == 0) return;
        _requireGas(HOOK_GAS);
        try outcomeToken.safeTransferFrom{gas: HOOK_GAS}(address(this), account, tokenId, amount, "") {}
        catch {
            _creditTokens(account, tokenId, amount);
        }
    }

    function _creditTokens(address account, uint256 tokenId, uint256 amount) private {
        claimableTokens[account][tokenId] += amount;
        emit TokensCredited(account, tokenId, amount);
    }

    function _usePayoutRoom(uint256 amount) private {
        payoutLevel = LeakyBucket.fill(payoutCapacity, payoutLevel, paidAt, amount);
        paidAt = uint40(block.timestamp);
    }

    /// Takes USDC of the service: first the accrued payments of buys, then the treasury's allowance.
    function _takeFunds(uint256 amount) private {
        uint256 available = accrued;
        if (amount <= available) {
            accrued = uint64(available - amount);
            return;
        }
        accrued = 0;
        usdc.safeTransferFrom(treasury, address(this), amount - available);
    }

    // ---------------------------------------------------------------- administration

    /// Sends the service's earnings to its treasury.
    function sweep(uint64 amount) external nonReentrant {
        if (msg.sender != treasury && !hasRole(DEFAULT_ADMIN_ROLE, msg.sender)) revert NotTreasuryOrAdmin();
        accrued -= amount;
        usdc.safeTransfer(treasury, amount);
        emit Swept(amount);
    }

    /// Stops new requests and fills. Refunds, redemptions and claims never stop.
    function pause() external onlyRole(PAUSER_ROLE) {
        paused = true;
        emit PauseChanged(true);
    }

    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        paused = false;
        emit PauseChanged(false);
    }

    /// Makes the caller the treasury. An administrator must have granted it `TREASURY_ROLE`, and the
    /// call is needed so that no account pays by an allowance for another purpose.
    function acceptTreasury() external onlyRole(TREASURY_ROLE) {
        _revokeRole(TREASURY_ROLE, msg.sender);
        treasury = msg.sender;
        emit TreasuryChanged(msg.sender);
    }

    /// The pauser may revoke the hot keys' roles too, because an administrator behind a timelock is
    /// too slow.
    function revokeRole(bytes32 role, address holder) public override {
        bool isHot = role == OPERATOR_ROLE || role == ATTESTOR_ROLE || role == RESOLVER_ROLE;
        if (isHot && hasRole(PAUSER_ROLE, msg.sender)) _revokeRole(role, holder);
        else super.revokeRole(role, holder);
    }

    /// Caps the USDC per hour that buyers pay for mints, that sells are paid, and that settlements set
    /// aside. Resets the used amounts.
    function setBuckets(uint64 mintPerHour, uint64 payoutPerHour, uint64 settlementPerHour)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        mintedAt = paidAt = settledAt = uint40(block.timestamp);
        (mintCapacity, mintLevel) = (mintPerHour, 0);
        (payoutCapacity, payoutLevel) = (payoutPerHour, 0);
        (settlementCapacity, settlementLevel) = (settlementPerHour, 0);
        emit BucketsChanged(mintPerHour, payoutPerHour, settlementPerHour);
    }

    function setTimings(uint32 settlementDelay_, uint32 maxBackingAge_) external onlyRole(DEFAULT_ADMIN_ROLE) {
        (settlementDelay, maxBackingAge) = (settlementDelay_, maxBackingAge_);
        emit TimingsChanged(settlementDelay_, maxBackingAge_);
    }

    struct Parameters {
        uint256 settlementDelay; // seconds
        uint256 maxBackingAge; // seconds
        uint256 mintPerHour; // USDC, as are the next two
        uint256 payoutPerHour;
        uint256 settlementPerHour;
    }

    /// The administrator's settings, in one function: more functions make the dispatch of every call
    /// cost more gas.
    function parameters() external view returns (Parameters memory) {
        return Parameters(settlementDelay, maxBackingAge, mintCapacity, payoutCapacity, settlementCapacity);
    }

    /// The room of the hourly caps now, in USDC: for mints, for sells, for settlements.
    function rooms() external view returns (uint256 mintRoom, uint256 payoutRoom, uint256 settlementRoom) {
        mintRoom = LeakyBucket.room(mintCapacity, mintLevel, mintedAt);
        payoutRoom = LeakyBucket.room(payoutCapacity, payoutLevel, paidAt);
        settlementRoom = LeakyBucket.room(settlementCapacity, settlementLevel, settledAt);
    }

    // ---------------------------------------------------------------- ERC-1155 receiver

    /// Accepts outcome tokens only while it handles an order, so that no other transfer is lost here.
    function onERC1155Received(address, address, uint256, uint256, bytes calldata)
        external
        view
        returns (bytes4)
    {
        if (msg.sender != address(outcomeToken) || !_reentrancyGuardEntered()) revert UnexpectedTokens();
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        revert UnexpectedTokens();
    }

    function supportsInterface(bytes4 interfaceId) public view override(AccessControl, IERC165) returns (bool) {
        return interfaceId == type(IERC1155Receiver).interfaceId || super.supportsInterface(interfaceId);
    }
}
