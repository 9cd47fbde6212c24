/**
 * Small faults, put into the contracts one at a time; the tests must detect each. `find` occurs
 * exactly once in the file. A mutant with `justification` has no observable effect.
 */
export type Mutant = {
  file: 'SwapVault' | 'TradingAccount' | 'LeakyBucket' | 'OutcomeToken' | 'TradingAccountFactory';
  find: string;
  replace: string;
  justification?: string;
};

const mutate =
  (file: Mutant['file']) =>
  (find: string, replace: string, justification?: string): Mutant => ({
    file,
    find,
    replace,
    ...(justification !== undefined && { justification }),
  });
const vault = mutate('SwapVault');
const account = mutate('TradingAccount');
const bucket = mutate('LeakyBucket');
const token = mutate('OutcomeToken');
const factory = mutate('TradingAccountFactory');

/** A mutant for each of these modifiers, which a function of the vault loses. */
const without = (head: string, ...modifiers: string[]): Mutant[] =>
  modifiers.map((modifier) => {
    const [before = '', after = ''] = head.split(modifier);
    return vault(head, before.trimEnd() + after);
  });

export const MUTANTS: readonly Mutant[] = [
  // permissions
  vault('if (msg.sender != order.account) revert OnlyOrderAccount();', ''),
  vault('if (msg.sender != address(this)) revert OnlySelf();', ''),
  ...without(
    'function fill(Fill calldata f) external onlyRole(OPERATOR_ROLE) whenNotPaused',
    'onlyRole(OPERATOR_ROLE)',
    'whenNotPaused',
  ),
  vault('if (!early && block.timestamp <= order.expiry) revert OrderNotExpired();', ''),
  vault(
    'if (!early && block.timestamp <= order.expiry)',
    'if (!early && block.timestamp < order.expiry)',
  ),
  vault(
    'if (msg.sender != treasury && !hasRole(DEFAULT_ADMIN_ROLE, msg.sender)) revert NotTreasuryOrAdmin();',
    '',
  ),
  vault('if (msg.sender != account && to != account) revert OnlyClaimant();', ''),
  // an order's life
  vault('if (statusOf[orderId] != NONE) revert BadStatus(statusOf[orderId]);', ''),
  vault('statusOf[orderId] = OPEN;', ''),
  vault('if (statusOf[orderId] != OPEN) revert BadStatus(statusOf[orderId]);', ''),
  vault('statusOf[orderId] = status;', ''),
  vault('_close(order, REFUNDED)', '_close(order, FILLED)'),
  vault('if (block.timestamp > order.expiry) revert OrderExpired();', ''),
  vault(
    'if (block.timestamp > order.expiry) revert',
    'if (block.timestamp >= order.expiry) revert',
  ),
  vault('if (_inputHeld(order) != held + input) revert InputNotReceived();', ''),
  vault('if (_inputHeld(order) != held + input)', 'if (_inputHeld(order) < held + input)'),
  vault('order.expiry < block.timestamp + MIN_TTL ||', ''),
  vault('|| order.expiry > block.timestamp + MAX_TTL', ''),
  vault('|| order.receiver == address(this)', ''),
  // prices
  vault(
    'uint256(f.quoteAmount) * order.quantity > uint256(order.quoteLimit) * f.filledQuantity',
    'f.quoteAmount > order.quoteLimit',
  ),
  vault(
    'uint256(f.quoteAmount) * order.quantity < uint256(order.quoteLimit) * f.filledQuantity',
    'f.quoteAmount < order.quoteLimit',
  ),
  vault(
    'uint256(f.quoteAmount) * order.quantity > uint256(order.quoteLimit) * f.filledQuantity',
    'uint256(f.quoteAmount) * order.quantity >= uint256(order.quoteLimit) * f.filledQuantity',
  ),
  vault('if (f.quoteAmount > f.filledQuantity + FEE_ROUNDING) revert OverOneDollar();', ''),
  vault('if (f.quoteAmount > f.filledQuantity) revert OverOneDollar();', ''),
  vault('|| (!order.isBuy && f.filledQuantity > order.quantity)', ''),
  vault('(!order.isBuy && f.filledQuantity > order.quantity)', 'f.filledQuantity > order.quantity'),
  vault('f.filledQuantity == 0 || (!order', '(!order'),
  // balances
  vault('returned = order.quoteLimit - f.quoteAmount;', 'returned = 0;'),
  vault('returned = order.quantity - f.filledQuantity;', 'returned = 0;'),
  vault('accrued = (uint256(accrued) + f.quoteAmount).toUint64();', ''),
  vault('accrued = uint64(available - amount);', ''),
  vault('        accrued = 0;\n', ''),
  vault('amount - available);', 'amount);'),
  vault('accrued -= amount;', ''),
  vault('claimable[account] += amount;', 'claimable[account] = amount;'),
  vault('claimable[account] = 0;', ''),
  vault('claimableTokens[account][tokenId] = 0;', ''),
  vault(
    '_pay(order.receiver, order.account, f.quoteAmount);',
    '_pay(order.account, order.account, f.quoteAmount);',
  ),
  vault('or(amount, shl(56, amount))', 'amount'),
  vault('or(amount, shl(56, amount))', 'shl(56, amount)'),
  vault('sstore(token.slot, sub(sload(token.slot), amount))', ''),
  // caps
  vault('if (block.timestamp > token.backedUntil) revert BackingStale(token.backedUntil);', ''),
  vault('if (minted > token.bought) revert BackingExceeded(minted, token.bought);', ''),
  vault('token.minted + amount', 'token.supply + amount'),
  vault('if (quote * ONE < token.floor * amount) revert BelowFloor(token.floor);', ''),
  vault('if (quote * ONE < token.floor * amount)', 'if (quote * ONE <= token.floor * amount)'),
  vault(
    '(token.bought, token.floor, token.backedUntil) = (b.bought, b.floor, until);',
    '(token.bought, token.backedUntil) = (b.bought, until);',
  ),
  vault(
    '(mintCapacity, mintLevel, mintedAt, f.quoteAmount)',
    '(mintCapacity, mintLevel, mintedAt, f.filledQuantity)',
  ),
  vault('mintedAt = uint40(block.timestamp);\n        accrued', 'accrued'),
  vault('payoutLevel = LeakyBucket.fill(payoutCapacity, payoutLevel, paidAt, f.quoteAmount);', ''),
  // settlement
  vault('if (block.timestamp < finalizableAt) revert SettlementDelayRunning(finalizableAt);', ''),
  vault('if (market.state == MarketState.Unregistered) revert MarketNotRegistered();', ''),
  vault('if (msg.sender == market.proposer) revert ProposerCannotFinalize();', ''),
  vault('uint40(finalizableAt), msg.sender);', 'uint40(finalizableAt), address(0));'),
  vault('if (block.timestamp < finalizableAt + EXECUTION_GRACE) _checkRole(OPERATOR_ROLE);', ''),
  vault(
    'if (block.timestamp < finalizableAt + EXECUTION_GRACE) _checkRole(OPERATOR_ROLE);',
    '_checkRole(OPERATOR_ROLE);',
  ),
  vault(
    'if (block.timestamp < finalizableAt + EXECUTION_GRACE)',
    'if (block.timestamp <= finalizableAt + EXECUTION_GRACE)',
  ),
  vault(
    'settlementLevel = LeakyBucket.fill(settlementCapacity, settlementLevel, settledAt, collateral);',
    '',
  ),
  vault('settledAt = uint40(block.timestamp);\n        _takeFunds', '_takeFunds'),
  vault(
    '(settlementCapacity, settlementLevel) = (settlementPerHour, 0);',
    'settlementCapacity = settlementPerHour;',
  ),
  vault('market.state = MarketState.Settled;', ''),
  vault('_takeFunds(collateral);', ''),
  vault(
    'Math.ceilDiv(uint256(token.supply) * payout, ONE)',
    '(uint256(token.supply) * payout / ONE)',
  ),
  vault('(token.settled, token.payout) = (true, payout);', 'token.payout = payout;'),
  vault('payoutYes > ONE || payoutNo > ONE - payoutYes', 'payoutYes > ONE || payoutNo > ONE'),
  vault('if (tokens[tokenId].settled) revert MarketSettled();\n        uint128', 'uint128'),
  vault('if (!token.settled) revert MarketNotSettled();', ''),
  vault('if (holder == address(this)) revert BadReceiver();', ''),
  vault('left != 0 && caller != holder)', 'left != 0)'),
  vault('payout % ONE != 0 && left != 0', 'false'),
  // gas and hooks
  vault('if (gasleft() < amount + amount / 63 + GAS_RESERVE) revert InsufficientGas();', ''),
  vault('if gt(size, 256) { size := 256 }', ''),
  vault('|| !_reentrancyGuardEntered()', ''),
  ...without('function claim(address account) external nonReentrant', 'nonReentrant'),
  ...without(
    'function finalizeSettlement(bytes32 marketKey) external nonReentrant',
    'nonReentrant',
  ),
  ...without(
    'function request(Order calldata order) external whenNotPaused nonReentrant',
    'nonReentrant',
    'whenNotPaused',
  ),
  // the account
  account('if (g.nonce != expected) revert BadNonce(expected);', ''),
  account('nextNonce: expected + 1', 'nextNonce: expected'),
  account('if (g.validUntil < block.timestamp) revert GrantExpired();', ''),
  account('if (msg.sender != owner_ && msg.sender != address(this)) {', 'if (false) {'),
  account('if (next < type(uint24).max) ++next;', ''),
  account('if (block.timestamp > w.deadline) revert SignatureExpired();', ''),
  account('if (msg.sender != _operatorOf(g)) revert OnlyOperator();', ''),
  account('if (order.account != address(this)) revert BadOrder();', ''),
  account(
    'if (order.receiver != address(this) && order.receiver != owner()) revert BadOrder();',
    '',
  ),
  account('if (input > g.maxPerOrder) revert OverOrderCap(input, g.maxPerOrder);', ''),
  account('if (ordered > g.maxPerDay) revert OverDayCap(ordered, g.maxPerDay);', ''),
  account('usage.ordered = uint64(ordered);', ''),
  account('usage.withdrawn += uint64(amount);', ''),
  account('if (amount > remaining) revert OverWithdrawCap(amount, remaining);', ''),
  account('!_mayWithdrawAnywhere(g) || (token', '(token'),
  account('|| (token != address(usdc) && token != address(outcomeToken))', ''),
  account('if (usage.day != day) usage = Usage(day, 0, 0, 0);', ''),
  account('if (refUsed[ref]) revert RefUsed(ref);', ''),
  account(
    'if (to == address(0) || to == address(this) || to == address(vault)) revert',
    'if (to == address(0)) revert',
  ),
  account('if (block.timestamp > g.validUntil) revert GrantExpired();', ''),
  account('return operator == address(vault) && IAccessControl', 'return IAccessControl'),
  account('return caller == owner() || caller == address(this);', 'return true;'),
  account('if (recovered == signer) return true;', 'if (recovered != address(0)) return true;'),
  bucket('if (amount > free) revert BucketOverflow(amount, free);', ''),
  bucket('/ 1 hours', '/ 30 minutes'),
  token('if (msg.sender != vault) revert OnlyVault();', ''),
  token('operator == vault ||', ''),
  factory('if (owner == address(0)) revert ZeroOwner();', ''),
  // the vault's other entry points and checks
  ...without(
    'function requestFor(Order[] calldata orders)\n        external\n        onlyRole(OPERATOR_ROLE)\n        whenNotPaused\n        nonReentrant\n',
    'onlyRole(OPERATOR_ROLE)',
    'whenNotPaused',
    'nonReentrant',
  ),
  ...without(
    'function fillBatch(Fill[] calldata fills) external onlyRole(OPERATOR_ROLE) whenNotPaused nonReentrant',
    'onlyRole(OPERATOR_ROLE)',
    'whenNotPaused',
    'nonReentrant',
  ),
  ...without(
    'function fill(Fill calldata f) external onlyRole(OPERATOR_ROLE) whenNotPaused nonReentrant',
    'nonReentrant',
  ),
  ...without('function refund(Order calldata order) external nonReentrant', 'nonReentrant'),
  ...without('function refundBatch(Order[] calldata orders) external nonReentrant', 'nonReentrant'),
  ...without(
    'function redeem(address holder, bytes32 marketKey, uint8 outcome, uint256 amount) external nonReentrant',
    'nonReentrant',
  ),
  ...without(
    'function redeemBatch(Redemption[] calldata redemptions) external nonReentrant',
    'nonReentrant',
  ),
  ...without(
    'function claimTokens(address account, uint256 tokenId, address to) external nonReentrant',
    'nonReentrant',
  ),
  ...without('function sweep(uint64 amount) external nonReentrant', 'nonReentrant'),
  vault('_refund(order, hasRole(OPERATOR_ROLE, msg.sender));', '_refund(order, true);'),
  vault('bool early = hasRole(OPERATOR_ROLE, msg.sender);', 'bool early = true;'),
  ...without(
    'function attestBacking(Backing[] calldata backings) external onlyRole(ATTESTOR_ROLE)',
    'onlyRole(ATTESTOR_ROLE)',
  ),
  vault('        onlyRole(RESOLVER_ROLE)\n', ''),
  vault(
    '        onlyRole(ATTESTOR_ROLE)\n        returns (bytes32 marketKey)',
    '        returns (bytes32 marketKey)',
  ),
  vault('if (markets[marketKey].state != MarketState.Unregistered) return marketKey;', ''),
  vault('markets[marketKey].state = MarketState.Open;', ''),
  vault(
    'if (!hasRole(DEFAULT_ADMIN_ROLE, msg.sender) && !hasRole(PAUSER_ROLE, msg.sender)) revert NotGuardian();',
    '',
  ),
  vault('if (market.state == MarketState.Settled) revert MarketSettled();', ''),
  vault('if (market.state == MarketState.Proposed) revert SettlementAlreadyProposed();', ''),
  vault('market.state = MarketState.Open;', ''),
  vault('if (order.account == address(0)) revert ZeroAddress();', ''),
  vault('order.receiver == address(0) ||', ''),
  vault('if (order.outcome > 1) revert BadOutcome();', ''),
  vault('if (order.quantity == 0) revert BadQuantity();', ''),
  vault('if (order.isBuy && order.quoteLimit == 0) revert BadLimit();', ''),
  vault(
    'if (tokens[tokenIdOf(order.marketKey, order.outcome)].settled) revert MarketSettled();\n        orderId',
    'orderId',
  ),
  vault('if (amount == 0) revert NothingToRedeem();', ''),
  vault('if (outcome > 1) revert BadOutcome();', ''),
  vault('payoutYes > ONE ||', ''),
  vault('mintLevel = LeakyBucket.fill(mintCapacity, mintLevel, mintedAt, f.quoteAmount);', ''),
  vault('if (to == address(this)) revert BadReceiver();', ''),
  vault('if (to != account && usdc.trySafeTransfer(account, amount)) return;', ''),
  vault(
    'if (market.state != MarketState.Proposed) revert NoSettlementProposed();\n        market.state',
    'market.state',
  ),
  vault(
    'if (market.state != MarketState.Proposed) revert NoSettlementProposed();\n        uint256',
    'uint256',
  ),
  vault('paidAt = uint40(block.timestamp);\n        _takeFunds', '_takeFunds'),
  vault('(block.timestamp + maxBackingAge).toUint32()', 'uint32(block.timestamp)'),
  vault('(block.timestamp + maxBackingAge).toUint32()', 'uint32(block.timestamp + maxBackingAge)'),
  vault(
    'try outcomeToken.mint{gas: HOOK_GAS}(order.receiver',
    'try outcomeToken.mint(order.receiver',
  ),
  vault('call(ITEM_GAS,', 'call(gas(),'),
  vault('if (order.receiver != order.account) {', 'if (false) {'),
  vault('abi.encode(block.chainid, address(this), order)', 'abi.encode(address(this), order)'),
  vault('abi.encode(block.chainid, address(this), order)', 'abi.encode(block.chainid, order)'),
  ...without('function pause() external onlyRole(PAUSER_ROLE)', 'onlyRole(PAUSER_ROLE)'),
  ...without(
    'function unpause() external onlyRole(DEFAULT_ADMIN_ROLE)',
    'onlyRole(DEFAULT_ADMIN_ROLE)',
  ),
  ...without(
    'function acceptTreasury() external onlyRole(TREASURY_ROLE)',
    'onlyRole(TREASURY_ROLE)',
  ),
  vault('        onlyRole(DEFAULT_ADMIN_ROLE)\n    {\n        mintedAt', '    {\n        mintedAt'),
  ...without(
    'function setTimings(uint32 settlementDelay_, uint32 maxBackingAge_) external onlyRole(DEFAULT_ADMIN_ROLE)',
    'onlyRole(DEFAULT_ADMIN_ROLE)',
  ),
  ...without(
    'function setTokenUriBase(string calldata base) external onlyRole(DEFAULT_ADMIN_ROLE)',
    'onlyRole(DEFAULT_ADMIN_ROLE)',
  ),
  // the account, the token and the factory
  account('if (!_isOwnerOrSelf(msg.sender)) revert OnlyOwner();', ''),
  account('|| caller == address(entryPoint())', ''),
  account('if (amount == 0) revert ZeroAmount();', ''),
  account('if (!_isOperator(_operatorOf(g), msg.sender)) revert OnlyOperator();', ''),
  account('_terms = Terms(0, 0, 0, 0, next, 0);', ''),
  account('refUsed[ref] = true;', ''),
  account('if (to != owner()) {', 'if (false) {'),
  account('return _isSignature(owner(), hash, signature);', 'return true;'),
  token('super.isApprovedForAll(holder, operator)', 'true'),
  factory('if (account.code.length > 0) return account;', ''),
  factory(
    'if (keccak256(abi.encode(tradingAccount.grant())) == keccak256(abi.encode(g))) return account;',
    '',
  ),
  // how a grant is kept
  account('if (g.validUntil > type(uint32).max) revert GrantTooLong();', ''),
  account('flags |= SINGLE_OPERATOR;', ''),
  account('_singleOperator = g.operator;', ''),
  account('g.withdrawAnywhere ? WITHDRAW_ANYWHERE : 0', 'WITHDRAW_ANYWHERE'),
  account('t.validUntil == 0 ? address(0) : _operatorOf(t)', '_operatorOf(t)'),
  account('if (next < type(uint24).max) ++next;', '++next;'),
  account('if (block.timestamp > g.validUntil) return (0, 0);', ''),
  account('if (!_mayWithdrawAnywhere(g)) return (toOrder, 0);', ''),
  // the token's own balances
  token('if (held < amount) revert ERC1155InsufficientBalance(from, held, amount, id);', ''),
  token('balance.amount = left;', ''),
  token('balances[id][to].amount += amount;', 'balances[id][to].amount = amount;'),
  token('_debit(from, ids[i], amounts[i]);', ''),
  token('if (ids.length != amounts.length) revert', 'if (ids.length > amounts.length) revert'),
  token('if (ids.length != amounts.length) revert', 'if (ids.length < amounts.length) revert'),
  token('left = _debit(holder, id, amount);', '_debit(holder, id, amount);'),
  token('ERC1155Utils.checkOnERC1155Received(msg.sender, address(0), to, id, amount, "");', ''),
  // redemption and refunds
  vault('payout /= ONE;\n        _pay(holder, holder, payout);', 'payout /= ONE;'),
  vault('if (!early && block', 'if (block'),
  vault('_returnTokens(order.account, tokenId, returned);', ''),
  vault('payout *= amount;', 'payout *= 1;'),
  // the remaining checks
  vault('if (paused) revert VaultPaused();', ''),
  vault('if (address(usdc_) == address(0) || admin == address(0)) revert ZeroAddress();', ''),
  vault(
    'if (amount == 0) revert NothingToClaim();\n        claimable[account]',
    'claimable[account]',
  ),
  vault('if (amount == 0) revert NothingToClaim();\n        if (to', 'if (to'),
  vault('_revokeRole(TREASURY_ROLE, msg.sender);', ''),
  account(
    'if (!_isSignature(signer, _hashTypedDataV4(structHash), signature)) revert InvalidSignature();',
    '',
  ),
  // dismissing hot keys
  vault('if (isHot && hasRole(PAUSER_ROLE, msg.sender))', 'if (isHot)'),
  vault('if (isHot && hasRole(PAUSER_ROLE, msg.sender))', 'if (hasRole(PAUSER_ROLE, msg.sender))'),
  vault('role == OPERATOR_ROLE || role == ATTESTOR_ROLE', 'role == ATTESTOR_ROLE'),
  vault('role == ATTESTOR_ROLE || role == RESOLVER_ROLE', 'role == RESOLVER_ROLE'),
  vault('role == ATTESTOR_ROLE || role == RESOLVER_ROLE', 'role == ATTESTOR_ROLE'),
];
