/**
 * Small faults, put into the contracts one at a time; the tests must detect each. `find` occurs
 * exactly once in the file. A mutant with `justification` has no observable effect.
 */
export type Mutant = {
  file:
    | 'SwapVault'
    | 'Settlement'
    | 'Payments'
    | 'TradingAccount'
    | 'PasskeyWallet'
    | 'PasskeyWalletFactory'
    | 'SignedBatch'
    | 'LeakyBucket'
    | 'OutcomeToken'
    | 'TradingAccountFactory';
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
const settlement = mutate('Settlement');
const payments = mutate('Payments');
const account = mutate('TradingAccount');
const signedBatch = mutate('SignedBatch');
const passkey = mutate('PasskeyWallet');
const passkeyFactory = mutate('PasskeyWalletFactory');
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
  vault('if (msg.sender != order.account) revert OnlyOrderAccount();\n        orderId', 'orderId'),
  vault('if (msg.sender != order.account) revert OnlyOrderAccount();\n        bytes32', 'bytes32'),
  vault('if (msg.sender != address(settlement)) revert OnlySettlement();', ''),
  payments('if (msg.sender != address(this)) revert OnlySelf();', ''),
  ...without(
    'function fill(Fill calldata f) external onlyRole(OPERATOR_ROLE) whenNotPaused',
    'onlyRole(OPERATOR_ROLE)',
    'whenNotPaused',
  ),
  vault(
    'if (!early && block.timestamp <= _lastSecond(order, progress)) revert OrderNotExpired();',
    '',
  ),
  vault(
    'if (!early && block.timestamp <= _lastSecond(order, progress))',
    'if (!early && block.timestamp < _lastSecond(order, progress))',
  ),
  vault('block.timestamp <= _lastSecond(order, progress)', 'block.timestamp <= order.expiry'),
  vault(
    'if (msg.sender != treasury && !hasRole(DEFAULT_ADMIN_ROLE, msg.sender)) revert NotTreasuryOrAdmin();',
    '',
  ),
  vault('if (msg.sender != account && to != account) revert OnlyClaimant();', ''),
  // an order's life
  vault('if (status != NONE) {', 'if (false) {'),
  vault('progressOf[orderId].status = OPEN;', ''),
  vault('if (progress.status != OPEN) revert BadStatus(progress.status);', ''),
  vault('progressOf[orderId].status = REFUNDED;', ''),
  vault('progressOf[orderId].status = REFUNDED;', 'progressOf[orderId].status = FILLED;'),
  vault('if (block.timestamp > _lastSecond(order, before)) revert OrderExpired();', ''),
  vault(
    'if (block.timestamp > _lastSecond(order, before)) revert',
    'if (block.timestamp >= _lastSecond(order, before)) revert',
  ),
  vault('block.timestamp > _lastSecond(order, before)', 'block.timestamp > order.expiry'),
  // its parts
  vault('progressOf[orderId] = reached;', ''),
  vault('f.isLast ? FILLED : OPEN', 'FILLED'),
  vault('f.isLast ? FILLED : OPEN', 'OPEN'),
  vault('OPEN, before.endsAt, f.filledTotal', 'OPEN, 0, f.filledTotal'),
  vault(
    'if (reached.filled <= before.filled || reached.charged < before.charged) revert NothingNew();',
    '',
  ),
  vault('reached.filled <= before.filled ||', 'reached.filled < before.filled ||'),
  vault('reached.filled <= before.filled || reached', 'reached'),
  vault('|| reached.charged < before.charged', ''),
  vault('|| reached.charged < before.charged', '|| reached.charged <= before.charged'),
  vault('(reached.filled - before.filled, reached', '(reached.filled, reached'),
  vault('reached.charged - before.charged);', 'reached.charged);'),
  vault('if (progress.charged > order.quoteLimit) revert InputExceeded();', ''),
  vault('return order.quoteLimit - progress.charged;', 'return order.quoteLimit;'),
  vault('if (progress.filled > order.quantity) revert InputExceeded();', ''),
  vault('return order.quantity - progress.filled;', 'return order.quantity;'),
  vault('if (f.isLast) {', 'if (true) {'),
  vault('            _returnRest(order, tokenId, rest);\n', ''),
  vault('_returnRest(order, tokenIdOf(order.marketKey, order.outcome), rest);', ''),
  // its end
  vault(
    'if (_progressOfOpen(orderId).endsAt != 0) revert EndAlreadyRequested();',
    '_progressOfOpen(orderId);',
  ),
  vault('Math.min(block.timestamp + END_NOTICE, order.expiry)', '(block.timestamp + END_NOTICE)'),
  vault('END_NOTICE = 30 minutes;', 'END_NOTICE = 31 minutes;'),
  vault('END_NOTICE = 30 minutes;', 'END_NOTICE = 29 minutes;'),
  vault('progressOf[orderId].endsAt = endsAt;', ''),
  vault('progress.endsAt == 0 ? order.expiry : progress.endsAt', 'order.expiry'),
  ...without('function requestEnd(Order calldata order) external nonReentrant', 'nonReentrant'),
  vault('if (_inputHeld(order) != held + input) revert InputNotReceived();', ''),
  vault('if (_inputHeld(order) != held + input)', 'if (_inputHeld(order) < held + input)'),
  vault('order.expiry < block.timestamp + MIN_TTL ||', ''),
  vault('|| order.expiry > block.timestamp + MAX_TTL', ''),
  vault('|| order.receiver == address(this)', ''),
  vault('if (order.receiver == address(settlement)) revert BadReceiver();', ''),
  // prices
  vault('if (!isKept) revert PriceOutsideLimit();', ''),
  vault('reached.charged * quantity <= limit * reached.filled', 'reached.charged <= limit'),
  vault('reached.charged * quantity <= limit', 'reached.charged * quantity < limit'),
  vault('reached.charged * quantity >= limit * reached.filled', 'reached.charged >= limit'),
  vault('reached.charged * quantity >= limit', 'reached.charged * quantity > limit'),
  vault('&& quote * quantity <= limit * filled + PART_ROUNDING * quantity', ''),
  vault('limit * filled + PART_ROUNDING * quantity', 'limit * filled'),
  vault('quote * quantity <= limit * filled +', 'quote * quantity < limit * filled +'),
  vault('&& (quote + PART_ROUNDING) * quantity >= limit * filled', ''),
  vault('(quote + PART_ROUNDING) * quantity >= limit', 'quote * quantity >= limit'),
  vault(
    '(quote + PART_ROUNDING) * quantity >= limit',
    '(quote + PART_ROUNDING) * quantity > limit',
  ),
  vault('PART_ROUNDING = 10_000;', 'PART_ROUNDING = 10_001;'),
  vault('if (quote > filled + FEE_ROUNDING) revert OverOneDollar();', ''),
  vault('if (quote > filled) revert OverOneDollar();', ''),
  // balances
  vault('accrued = (uint256(accrued) + quote).toUint64();', ''),
  vault('accrued = uint64(available - amount);', ''),
  vault('        accrued = 0;\n', ''),
  vault('amount - available);', 'amount);'),
  vault('accrued -= amount;', ''),
  payments('claimable[account] += amount;', 'claimable[account] = amount;'),
  payments('claimable[account] = 0;', ''),
  vault('claimableTokens[account][tokenId] = 0;', ''),
  vault(
    '_pay(order.receiver, order.account, quote);',
    '_pay(order.account, order.account, quote);',
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
    '(mintCapacity, mintLevel, mintedAt, quote)',
    '(mintCapacity, mintLevel, mintedAt, filled)',
  ),
  vault('mintedAt = uint40(block.timestamp);\n        accrued', 'accrued'),
  vault('_usePayoutRoom(quote);', ''),
  // settlement
  settlement(
    'if (block.timestamp < finalizableAt) revert SettlementDelayRunning(finalizableAt);',
    '',
  ),
  settlement('if (market.state == MarketState.Unregistered) revert MarketNotRegistered();', ''),
  settlement('if (msg.sender == market.proposer) revert ProposerCannotFinalize();', ''),
  settlement('uint40(finalizableAt), msg.sender);', 'uint40(finalizableAt), address(0));'),
  settlement('if (block.timestamp < finalizableAt + EXECUTION_GRACE) _checkRole(OPERATOR);', ''),
  settlement(
    'if (block.timestamp < finalizableAt + EXECUTION_GRACE) _checkRole(OPERATOR);',
    '_checkRole(OPERATOR);',
  ),
  settlement(
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
  settlement('market.state = MarketState.Settled;', ''),
  vault('_takeFunds(collateral);', ''),
  vault('usdc.safeTransfer(address(settlement), collateral);', ''),
  settlement(
    'vault.fixPayouts(marketKey, payoutYes, payoutNo);',
    'vault.fixPayouts(marketKey, payoutNo, payoutYes);',
  ),
  settlement('block.timestamp + vault.settlementDelay();', 'block.timestamp;'),
  settlement('if (!vault.hasRole(role, msg.sender)) {', 'if (false) {'),
  vault(
    'Math.ceilDiv(uint256(token.supply) * payout, ONE)',
    '(uint256(token.supply) * payout / ONE)',
  ),
  vault('(token.settled, token.payout) = (true, payout);', 'token.payout = payout;'),
  settlement('payoutYes > ONE || payoutNo > ONE - payoutYes', 'payoutYes > ONE || payoutNo > ONE'),
  vault('if (tokens[tokenId].settled) revert MarketSettled();\n        Progress', 'Progress'),
  vault('if (!token.settled) revert MarketNotSettled();', ''),
  vault('if (holder == address(this)) revert BadReceiver();', ''),
  settlement('left != 0 && caller != holder)', 'left != 0)'),
  settlement('micros % ONE != 0 && left != 0', 'false'),
  // merging pairs
  settlement('if (state == MarketState.Settled) revert MarketSettled();', ''),
  settlement('state == MarketState.Proposed && uint256', 'uint256'),
  settlement('uint256(market.payoutYes) + market.payoutNo != ONE', 'false'),
  settlement('if (amount == 0) revert NothingToMerge();', ''),
  settlement('marketKey, amount, byTreasury);', 'marketKey, amount, !byTreasury);'),
  ...without(
    'onlySettlement\n        whenNotPaused\n        nonReentrant\n        returns (bool byTreasury)',
    'onlySettlement',
    'whenNotPaused',
    'nonReentrant',
  ),
  vault('_usePayoutRoom(amount);', ''),
  vault('_lowerSupply(tokens[yes], amount);', ''),
  vault('_lowerSupply(tokens[no], amount);', ''),
  vault('outcomeToken.burnPair(yes, no, holder, amount);', ''),
  token('_debit(holder, id, amount);\n        _debit', '_debit'),
  token('_debit(holder, otherId, amount);', ''),
  token('(ids[0], ids[1]) = (id, otherId);', ''),
  token('(amounts[0], amounts[1]) = (amount, amount);', ''),
  token(
    'uint256 amount) external onlyVault {\n        _debit(holder, id',
    'uint256 amount) external {\n        _debit(holder, id',
  ),
  vault('byTreasury = amount > earnings;', 'byTreasury = amount >= earnings;'),
  vault('accrued = uint64(earnings - amount);', ''),
  vault('usdc.safeTransferFrom(treasury, holder, amount);', ''),
  vault('usdc.safeTransfer(holder, amount);', ''),
  // gas and hooks
  payments('if (gasleft() < amount + amount / 63 + GAS_RESERVE) revert InsufficientGas();', ''),
  payments('if gt(size, 256) { size := 256 }', ''),
  vault('|| !_reentrancyGuardEntered()', ''),
  payments(
    'function claim(address account) external nonReentrant',
    'function claim(address account) external',
  ),
  vault('        onlySettlement\n        nonReentrant\n', '        onlySettlement\n'),
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
  account('if (to == address(0) || to == address(this)) revert', 'if (to == address(0)) revert'),
  account('if (to == address(vault) || to == settlement) revert', 'if (to == settlement) revert'),
  account(
    'if (to == address(vault) || to == settlement) revert',
    'if (to == address(vault)) revert',
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
    'function requestFor(Order[] calldata orders, bytes[] calldata signatures)\n        external\n        onlyRole(OPERATOR_ROLE)\n        whenNotPaused\n        nonReentrant\n',
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
  settlement(' external onlyRole(RESOLVER)', ' external'),
  settlement(' external onlyRole(ATTESTOR)', ' external'),
  settlement('if (markets[marketKey].state != MarketState.Unregistered) return marketKey;', ''),
  settlement('markets[marketKey].state = MarketState.Open;', ''),
  settlement(
    'if (!vault.hasRole(ADMIN, msg.sender) && !vault.hasRole(PAUSER, msg.sender)) revert NotGuardian();',
    '',
  ),
  settlement('if (market.state == MarketState.Settled) revert MarketSettled();', ''),
  settlement('if (market.state == MarketState.Proposed) revert SettlementAlreadyProposed();', ''),
  settlement('market.state = MarketState.Open;', ''),
  vault('if (order.account == address(0)) revert ZeroAddress();', ''),
  vault('order.receiver == address(0) ||', ''),
  vault('if (order.outcome > 1) revert BadOutcome();', ''),
  vault('if (order.quantity == 0) revert BadQuantity();', ''),
  vault('if (order.isBuy && order.quoteLimit == 0) revert BadLimit();', ''),
  vault(
    'if (tokens[tokenIdOf(order.marketKey, order.outcome)].settled) revert MarketSettled();\n        orderId',
    'orderId',
  ),
  settlement('if (burned == 0) revert NothingToRedeem();', ''),
  settlement('payoutYes > ONE ||', ''),
  vault('mintLevel = LeakyBucket.fill(mintCapacity, mintLevel, mintedAt, quote);', ''),
  vault('if (to == address(this)) revert BadReceiver();', ''),
  payments('if (to != account && usdc.trySafeTransfer(account, amount)) return;', ''),
  settlement(
    'if (market.state != MarketState.Proposed) revert NoSettlementProposed();\n        market.state',
    'market.state',
  ),
  settlement(
    'if (market.state != MarketState.Proposed) revert NoSettlementProposed();\n        uint256',
    'uint256',
  ),
  vault('paidAt = uint40(block.timestamp);\n    }', '}'),
  vault('(block.timestamp + maxBackingAge).toUint32()', 'uint32(block.timestamp)'),
  vault('(block.timestamp + maxBackingAge).toUint32()', 'uint32(block.timestamp + maxBackingAge)'),
  vault(
    'try outcomeToken.mint{gas: HOOK_GAS}(order.receiver',
    'try outcomeToken.mint(order.receiver',
  ),
  payments('call(ITEM_GAS,', 'call(gas(),'),
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
  // the account, the token and the factory
  account(
    'if (!_isOwnerOrSelf(msg.sender)) revert OnlyOwner();\n        uint24 next',
    'uint24 next',
  ),
  account('|| caller == address(entryPoint())', ''),
  account('if (amount == 0) revert ZeroAmount();', ''),
  account('if (!_isOperator(_operatorOf(g), msg.sender)) revert OnlyOperator();', ''),
  account('_terms = Terms(0, 0, 0, 0, next, 0);', ''),
  account('refUsed[ref] = true;', ''),
  account('if (to != owner()) {', 'if (false) {'),
  account('return _isSignature(owner(), hash, signature);', 'return true;'),
  token('super.isApprovedForAll(holder, operator)', 'true'),
  token('if (!IAccessControl(vault).hasRole(ADMIN, msg.sender)) revert OnlyAdmin();', ''),
  token('emit UriBaseChanged(base);', ''),
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
  settlement('_pay(holder, holder, amountPaid);', ''),
  vault('if (!early && block', 'if (block'),
  vault('_returnTokens(order.account, tokenId, amount);', '{}'),
  settlement('micros = burned * payout;', 'micros = payout;'),
  // the remaining checks
  vault('if (paused) revert VaultPaused();', ''),
  vault('if (admin == address(0)) revert ZeroAddress();', ''),
  payments('if (address(usdc_) == address(0)) revert ZeroAddress();', ''),
  payments('if (amount == 0) revert NothingToClaim();', ''),
  vault('if (amount == 0) revert NothingToClaim();', ''),
  vault('_revokeRole(TREASURY_ROLE, msg.sender);', ''),
  account(
    'if (!_isSignature(signer, _hashTypedDataV4(structHash), signature)) revert InvalidSignature();',
    '',
  ),
  // session keys
  vault('(orders[i], signatures[i])', '(orders[i], signatures[0])'),
  account('if (g.key != 0) revert BadSessionKey();', ''),
  account('g.keyKind > SECP256K1_KEY || ', ''),
  account('g.key == 0 || ', ''),
  account(' || g.withdrawAnywhere) revert BadSessionKey();', ') revert BadSessionKey();'),
  account('flags |= g.keyKind << KEY_KIND_SHIFT;', ''),
  account('flags |= g.keyKind << KEY_KIND_SHIFT;', 'flags |= P256_KEY << KEY_KIND_SHIFT;'),
  account('_sessionKey = g.key;', ''),
  account('keyKind == NO_KEY ? bytes32(0) : _sessionKey', '_sessionKey'),
  account('if (g.flags >> KEY_KIND_SHIFT != NO_KEY) {', 'if (true) {'),
  account('if (g.flags >> KEY_KIND_SHIFT != NO_KEY) {', 'if (false) {'),
  account('if (!_isSignedBySession(g, structHash, signature)) revert OrderNotSigned();', ''),
  account('recovered != address(0) && _maySign', '_maySign', 'no key is zero'),
  account('_maySign(g, SECP256K1_KEY, bytes32(uint256(uint160(recovered))))', 'true'),
  account('if (!_maySign(g, P256_KEY, keccak256(signature[64:]))) return false;', ''),
  account('P256.verifyNative(sha256(abi.encode(digest)), r', 'P256.verifyNative(digest, r'),
  account(
    'bytes32 structHash = keccak256(abi.encode(ORDER_TYPEHASH, order));',
    'bytes32 structHash = keccak256(abi.encode(ORDER_TYPEHASH, order.salt));',
  ),
  account('_hashTypedDataV4(structHash);\n        if', 'structHash;\n        if'),
  // further session keys, and ends that they sign
  account(
    'if (!_isOwnerOrSelf(msg.sender)) revert OnlyOwner();\n        Terms memory g = _liveGrant();\n        _requireGrant(g, nonce);\n        if (g.flags',
    'Terms memory g = _liveGrant();\n        _requireGrant(g, nonce);\n        if (g.flags',
  ),
  account(
    'if (!_isOwnerOrSelf(msg.sender)) revert OnlyOwner();\n        Terms memory g = _liveGrant();\n        _requireGrant(g, nonce);\n        if (key',
    'Terms memory g = _liveGrant();\n        _requireGrant(g, nonce);\n        if (key',
  ),
  account('if (nonce != recorded) revert BadNonce(recorded);', ''),
  account('if (nonce != recorded) revert', 'if (nonce > recorded) revert'),
  account('g.flags >> KEY_KIND_SHIFT == NO_KEY || ', ''),
  account(' || keyKind == NO_KEY) revert', ') revert'),
  account('if (keyKind > SECP256K1_KEY || key == 0) revert', 'if (key == 0) revert'),
  account('if (keyKind > SECP256K1_KEY || key == 0) revert', 'if (keyKind > SECP256K1_KEY) revert'),
  account('if (key == _sessionKey || _furtherKeys', 'if (_furtherKeys'),
  account(' || _furtherKeys[g.nextNonce][key] != NO_KEY) revert', ') revert'),
  account('_furtherKeys[g.nextNonce][key] = keyKind;', ''),
  account('_furtherKeys[g.nextNonce][key] = keyKind;', '_furtherKeys[0][key] = keyKind;'),
  account('emit SessionKeyAdded(nonce, keyKind, key);', ''),
  account('if (key == _sessionKey) _sessionKey = 0;', ''),
  account('_furtherKeys[g.nextNonce][key] = REMOVED_KEY;', ''),
  account('emit SessionKeyRemoved(nonce, key);', ''),
  account('g.flags >> KEY_KIND_SHIFT == keyKind && key == _sessionKey', 'key == _sessionKey'),
  account('return _furtherKeys[g.nextNonce][key] == keyKind;', 'return false;'),
  account(
    'return _furtherKeys[g.nextNonce][key] == keyKind;',
    'return _furtherKeys[g.nextNonce][key] != NO_KEY;',
  ),
  account(
    'if (!_isSignedBySession(_liveGrant(), structHash, signature)) revert InvalidSignature();',
    '',
  ),
  account('END_TYPEHASH, keccak256(abi.encode(ORDER_TYPEHASH, order))', 'ORDER_TYPEHASH, order'),
  vault('progressOf[orderId].status = NEVER_OPENS;', ''),
  vault('if (status == NEVER_OPENS) revert EndAlreadyRequested();', ''),
  // signed batches
  account('if (block.timestamp > b.deadline) revert SignatureExpired();', ''),
  account('if (block.timestamp > b.deadline)', 'if (block.timestamp >= b.deadline)'),
  account('if (b.nonce != expected) revert BadNonce(expected);', ''),
  account('if (b.nonce != expected) revert', 'if (b.nonce < expected) revert'),
  account('if (!_isSignature(owner(), digest, signature)) revert InvalidSignature();', ''),
  account('batchNonce = expected + 1;', ''),
  account('emit BatchExecuted(expected, digest);', ''),
  signedBatch('if (gasleft() < b.gas) revert InsufficientGas();', ''),
  signedBatch('c.to.call{value: c.value}(c.data)', 'c.to.call(c.data)'),
  signedBatch('Address.verifyCallResult(ok, result);', ''),
  signedBatch('CALL_TYPEHASH, c.to, c.value, keccak256(c.data)', 'CALL_TYPEHASH, c.to, c.value'),
  signedBatch(
    'BATCH_TYPEHASH, calls, b.gas, b.nonce, b.deadline',
    'BATCH_TYPEHASH, calls, b.nonce',
  ),
  factory(
    'account = createAccount(owner);\n        TradingAccount(payable(account)).execute',
    'account = addressOf(owner);\n        TradingAccount(payable(account)).execute',
  ),
  // deposits by permit
  factory(
    'try IERC20Permit(address(usdc)).permit(owner, address(this), amount, deadline, v, r, s) {} catch {}',
    'IERC20Permit(address(usdc)).permit(owner, address(this), amount, deadline, v, r, s);',
  ),
  factory('if (permitted == 0) revert NothingPermitted();', ''),
  factory('addressOf(owner), permitted);', 'addressOf(owner), amount);'),
  factory('addressOf(owner), permitted);', 'msg.sender, permitted);'),
  factory('emit PermitDeposited(owner, permitted,', 'emit PermitDeposited(owner, amount + 1,'),
  // dismissing hot keys
  vault('if (isHot && hasRole(PAUSER_ROLE, msg.sender))', 'if (isHot)'),
  vault('if (isHot && hasRole(PAUSER_ROLE, msg.sender))', 'if (hasRole(PAUSER_ROLE, msg.sender))'),
  vault('role == OPERATOR_ROLE || role == ATTESTOR_ROLE', 'role == ATTESTOR_ROLE'),
  vault('role == ATTESTOR_ROLE || role == RESOLVER_ROLE', 'role == RESOLVER_ROLE'),
  vault('role == ATTESTOR_ROLE || role == RESOLVER_ROLE', 'role == ATTESTOR_ROLE'),

  // the passkey's wallet
  passkey('if (!P256.isValidPublicKey(qx, qy)) revert InvalidOwner();', ''),
  passkey('owner == address(0) || owner == address(this)', 'owner == address(this)'),
  passkey('owner == address(0) || owner == address(this)', 'owner == address(0)'),
  passkey(
    'removeOwner(bytes32 id) external {\n        if (msg.sender != address(this)) revert OnlySelf();',
    'removeOwner(bytes32 id) external {',
  ),
  passkey(
    '_add(bytes32 id) private {\n        if (msg.sender != address(this)) revert OnlySelf();',
    '_add(bytes32 id) private {',
  ),
  passkey('if (!_isOwner(id)) revert InvalidOwner();', ''),
  passkey('if (_isOwner(id)) revert InvalidOwner();', ''),
  passkey('if (_further.length() + (_isFirstRemoved ? 0 : 1) == 1) revert LastOwner();', ''),
  passkey('_further.length() + (_isFirstRemoved ? 0 : 1) == 1', '_further.length() == 1'),
  passkey('_further.length() + (_isFirstRemoved ? 0 : 1) == 1', '_further.length() == 0'),
  passkey('_isFirstRemoved = true;', '_isFirstRemoved = false;'),
  passkey('_isFirstRemoved = false;', '_isFirstRemoved = true;'),
  passkey('else _further.remove(id);', ''),
  passkey('else _further.add(id);', ''),
  passkey('!_isFirstRemoved : _further', 'true : _further'),
  passkey('uint256 first = _isFirstRemoved ? 0 : 1;', 'uint256 first = 1;'),
  passkey('if (block.timestamp > b.deadline) revert SignatureExpired();', ''),
  passkey('block.timestamp > b.deadline', 'block.timestamp >= b.deadline'),
  passkey('if (b.nonce != expected) revert BadNonce(expected);', ''),
  passkey('if (!_isSigned(digest, signature)) revert InvalidSignature();', ''),
  passkey('batchNonce = expected + 1;', ''),
  passkey('emit BatchExecuted(expected, digest);', ''),
  passkey(
    '_hashTypedDataV4(keccak256(abi.encode(MESSAGE_TYPEHASH, hash)))',
    '_hashTypedDataV4(hash)',
  ),
  passkey('if (signature.length < 64) return false;', ''),
  passkey('return _isOwner(head)\n                && ', 'return '),
  passkey('if (!_isOwner(_idOfKey(head, qy))) return false;', ''),
  passkey('caller == address(this) || isOwnerAddress(caller)', 'caller == address(this)'),
  passkey('caller == address(this) || isOwnerAddress(caller)', 'true'),
  passkeyFactory('if (!P256.isValidPublicKey(qx, qy)) revert InvalidKey();', ''),
  passkeyFactory('if (wallet.code.length > 0) return wallet;', ''),
  passkeyFactory('createWallet(qx, qy);\n        Address', 'Address'),
  passkeyFactory('Address.functionCall(target, data);', ''),
];
