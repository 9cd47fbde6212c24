// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Order} from "../src/SwapTypes.sol";
import {Batch, Call} from "../src/SignedBatch.sol";
import {Grant, TradingAccount} from "../src/TradingAccount.sol";
import {P256_KEY, SECP256K1_KEY, SessionFixture} from "./SessionFixture.sol";
import {Vm} from "./Vm.sol";

uint8 constant REMOVED_KEY = 3;

/// Several devices under one grant: each signs, one goes without the others, the grant ends all.
abstract contract FurtherKeysTest is SessionFixture {
    uint256 internal constant SECOND_KEY = 0x5E551022;
    uint256 internal constant THIRD_KEY = 0x5E551033;

    uint8 internal immutable kind;

    constructor(uint8 kind_) {
        kind = kind_;
    }

    function setUp() public override {
        super.setUp();
        _grantKey(P256_KEY, SESSION_KEY);
    }

    function _nonce() internal view returns (uint64) {
        return account.grant().nonce;
    }

    function _add(uint256 privateKey) internal returns (bytes32 key) {
        key = _keyOf(kind, privateKey);
        uint64 nonce = _nonce();
        vm.prank(owner);
        account.addSessionKey(nonce, kind, key);
    }

    function _remove(bytes32 key) internal {
        uint64 nonce = _nonce();
        vm.prank(owner);
        account.removeSessionKey(nonce, key);
    }

    function _opens(uint8 kind_, uint256 privateKey) internal returns (bool) {
        Order memory o = _buy(address(account), 1e6, 1e6);
        return _requestSigned(o, _signOrder(kind_, privateKey, o));
    }

    function _refusesKey(uint64 nonce, uint8 kind_, bytes32 key) internal {
        vm.prank(owner);
        vm.expectRevert(TradingAccount.BadSessionKey.selector);
        account.addSessionKey(nonce, kind_, key);
    }

    function test_everyDeviceSigns() public {
        assert(!_opens(kind, SECOND_KEY));
        bytes32 second = _add(SECOND_KEY);
        _add(THIRD_KEY);
        assert(_opens(P256_KEY, SESSION_KEY) && _opens(kind, SECOND_KEY) && _opens(kind, THIRD_KEY));
        _eq(account.sessionKeyKind(second), kind, "kind of the second");
        _eq(account.sessionKeyKind(_keyOf(P256_KEY, SESSION_KEY)), P256_KEY, "kind of the first");
        _eq(account.sessionKeyKind(bytes32("another")), 0, "no key");
    }

    function test_aRemovedDeviceOpensNothingInTheSameBlock() public {
        bytes32 second = _add(SECOND_KEY);
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signOrder(kind, SECOND_KEY, o);
        assert(_opens(kind, SECOND_KEY)); // a transaction before the removal's
        _remove(second);
        _unsignedRefused(o, signature);
        _eq(account.sessionKeyKind(second), REMOVED_KEY, "removed");
        assert(_opens(P256_KEY, SESSION_KEY));
        _refusesKey(_nonce(), kind, second); // for good
    }

    function test_theFirstDeviceGoesWithoutTheOthers() public {
        _add(SECOND_KEY);
        bytes32 first = _keyOf(P256_KEY, SESSION_KEY);
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signOrder(P256_KEY, SESSION_KEY, o);
        _remove(first);
        _unsignedRefused(o, signature);
        assert(_opens(kind, SECOND_KEY));
        Grant memory g = account.grant();
        assert(g.keyKind == P256_KEY && g.key == 0);
        _eq(account.sessionKeyKind(first), REMOVED_KEY, "removed");
        _refusesKey(_nonce(), P256_KEY, first);
    }

    function test_withoutAnyKeyLeftNothingOpens() public {
        _remove(_keyOf(P256_KEY, SESSION_KEY));
        Order memory o = _buy(address(account), 10e6, 6e6);
        _unsignedRefused(o, "");
        _unsignedRefused(o, new bytes(65)); // recovers no key
        _unsignedRefused(o, new bytes(128));
    }

    function test_aKeyRemovedBeforeItsAdditionIsNeverAdded() public {
        bytes32 second = _keyOf(kind, SECOND_KEY);
        _remove(second);
        _refusesKey(_nonce(), kind, second);
    }

    function test_theGrantEndsAllItsKeys() public {
        bytes32 second = _add(SECOND_KEY);
        _grantKey(P256_KEY, SESSION_KEY);
        assert(!_opens(kind, SECOND_KEY));
        _eq(account.sessionKeyKind(second), 0, "not of this grant");
        _add(SECOND_KEY); // another grant: added again
        assert(_opens(kind, SECOND_KEY));
        vm.prank(owner);
        account.revoke();
        assert(!_opens(kind, SECOND_KEY) && !_opens(P256_KEY, SESSION_KEY));
        _eq(account.sessionKeyKind(second), 0, "no grant");
        // Nor does a grant without a key give it back.
        _grant(account, OWNER_KEY, _defaultGrant(account));
        _eq(account.sessionKeyKind(second) + account.sessionKeyKind(_keyOf(P256_KEY, SESSION_KEY)), 0, "no key");
    }

    function test_aKeyIsOfItsKindOnly() public {
        uint8 otherKind = kind == P256_KEY ? SECP256K1_KEY : P256_KEY;
        uint64 nonce = _nonce();
        bytes32 key = _keyOf(kind, SECOND_KEY);
        vm.prank(owner);
        account.addSessionKey(nonce, otherKind, key);
        assert(!_opens(kind, SECOND_KEY));
    }

    function test_keysThatCannotBeAddedAreRefused() public {
        uint64 nonce = _nonce();
        bytes32 second = _add(SECOND_KEY);
        _refusesKey(nonce, kind, second);
        _refusesKey(nonce, P256_KEY, _keyOf(P256_KEY, SESSION_KEY));
        _refusesKey(nonce, kind, 0);
        for (uint8 bad = 0; bad < 5; ++bad) {
            if (bad != P256_KEY && bad != SECP256K1_KEY) _refusesKey(nonce, bad, _keyOf(kind, THIRD_KEY));
        }
        _grant(account, OWNER_KEY, _defaultGrant(account)); // whose orders need no signature
        _refusesKey(nonce + 1, kind, _keyOf(kind, THIRD_KEY));
    }

    function test_keysAreOfTheGrantTheOwnerMeant() public {
        _grantKey(P256_KEY, SESSION_KEY); // the second one
        uint64 nonce = _nonce();
        bytes32 key = _keyOf(kind, SECOND_KEY);
        vm.startPrank(owner);
        for (uint64 i; i < 2; ++i) {
            uint64 wrong = i == 0 ? nonce + 1 : nonce - 1;
            vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, nonce));
            account.addSessionKey(wrong, kind, key);
            vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, nonce));
            account.removeSessionKey(wrong, key);
        }
        vm.warp(vm.getBlockTimestamp() + 366 days);
        vm.expectRevert(TradingAccount.GrantExpired.selector);
        account.addSessionKey(nonce, kind, key);
        vm.expectRevert(TradingAccount.GrantExpired.selector);
        account.removeSessionKey(nonce, key);
        vm.stopPrank();
    }

    function test_onlyTheOwnerChangesKeys() public {
        uint64 nonce = _nonce();
        bytes32 key = _keyOf(kind, SECOND_KEY);
        address[3] memory callers = [operator, stranger, address(vault)];
        for (uint256 i; i < callers.length; ++i) {
            vm.startPrank(callers[i]);
            vm.expectRevert(TradingAccount.OnlyOwner.selector);
            account.addSessionKey(nonce, kind, key);
            vm.expectRevert(TradingAccount.OnlyOwner.selector);
            account.removeSessionKey(nonce, key);
            vm.stopPrank();
        }
    }

    /// Anyone sends what the owner signed, so the service cannot keep a device in.
    function test_theOwnersSignatureIsForAnyoneToSend() public {
        bytes32 key = _keyOf(kind, SECOND_KEY);
        vm.recordLogs();
        _byBatch(abi.encodeCall(account.addSessionKey, (_nonce(), kind, key)));
        Vm.Log memory added = vm.getRecordedLogs()[1]; // after the batch's own
        assert(added.topics[1] == key && keccak256(added.data) == keccak256(abi.encode(_nonce(), kind)));
        assert(_opens(kind, SECOND_KEY));
        vm.recordLogs();
        _byBatch(abi.encodeCall(account.removeSessionKey, (_nonce(), key)));
        Vm.Log memory removed = vm.getRecordedLogs()[1];
        assert(removed.topics[1] == key && keccak256(removed.data) == keccak256(abi.encode(_nonce())));
        assert(removed.topics[0] == TradingAccount.SessionKeyRemoved.selector);
        assert(!_opens(kind, SECOND_KEY));
    }

    function _byBatch(bytes memory data) private {
        Batch memory b = Batch(new Call[](1), 0, account.batchNonce(), block.timestamp);
        b.calls[0] = Call(address(account), 0, data);
        bytes memory signature = _sign(OWNER_KEY, _batchDigest(address(account), b));
        vm.prank(stranger);
        account.executeWithSig(b, signature);
    }

    // ---------------------------------------------------------------- ends of orders

    function _endDigest(Order memory o) internal view returns (bytes32) {
        string memory order =
            "Order(address account,address receiver,bytes32 marketKey,uint8 outcome,bool isBuy,uint128 quantity,uint128 quoteLimit,uint64 expiry,bytes32 clientRef,uint128 salt)";
        bytes32 inner = keccak256(abi.encode(keccak256(bytes(order)), o));
        return _digest(o.account, keccak256(abi.encode(keccak256(abi.encodePacked("End(Order order)", order)), inner)));
    }

    function _signEnd(uint256 privateKey, Order memory o) internal view returns (bytes memory) {
        return _signDigest(kind, privateKey, _endDigest(o));
    }

    function _neverOpens(Order memory o, bytes memory signature) internal {
        _eq(_status(o), 4, "ended before it opened");
        assert(!_requestSigned(o, signature));
        vm.startPrank(operator);
        vm.expectPartialRevert(bytes4(keccak256("BadStatus(uint8)")));
        vault.refund(o);
        vm.stopPrank();
        _eq(_status(o), 4, "stays ended");
    }

    function test_aDeviceEndsWhatItSignedBeforeItOpens() public {
        _add(SECOND_KEY);
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signOrder(kind, SECOND_KEY, o);
        bytes memory end = _signEnd(SECOND_KEY, o);
        vm.prank(stranger);
        account.endWithSig(o, end);
        _neverOpens(o, signature);
        assert(_opens(kind, SECOND_KEY));
    }

    function test_theOwnerEndsASignedOrderBeforeItOpens() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signOrder(P256_KEY, SESSION_KEY, o);
        _byBatch(
            abi.encodeWithSignature(
                "execute(bytes32,bytes)",
                bytes32(0x0100000000000000000000000000000000000000000000000000000000000000),
                _execution(address(vault), abi.encodeCall(vault.requestEnd, (o)))
            )
        );
        _neverOpens(o, signature);
    }

    function _execution(address to, bytes memory data) private pure returns (bytes memory) {
        Call[] memory calls = new Call[](1);
        calls[0] = Call(to, 0, data);
        return abi.encode(calls);
    }

    function test_aDeviceEndsAnOpenOrderInHalfAnHour() public {
        _add(SECOND_KEY);
        Order memory o = _buy(address(account), 10e6, 6e6);
        o.expiry = uint64(block.timestamp + 1 days);
        assert(_requestSigned(o, _signOrder(P256_KEY, SESSION_KEY, o)));
        account.endWithSig(o, _signEnd(SECOND_KEY, o));
        (uint8 status, uint40 endsAt,,) = vault.progressOf(vault.orderIdOf(o));
        assert(status == 1 && endsAt == block.timestamp + 30 minutes);
    }

    function test_nobodyElseEndsAnOrder() public {
        bytes32 second = _add(SECOND_KEY);
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory end = _signEnd(SECOND_KEY, o);
        _refusesEnd(o, _signEnd(THIRD_KEY, o));
        _refusesEnd(o, _signOrder(kind, SECOND_KEY, o)); // the order's own signature
        _refusesEnd(o, "");
        o.salt += 1;
        _refusesEnd(o, end);
        o.salt -= 1;
        _remove(second);
        _refusesEnd(o, end);
        vm.prank(operator);
        vm.expectRevert(bytes4(keccak256("OnlyOrderAccount()")));
        vault.requestEnd(o);
        // Under a grant without a key, neither does the one that the former grant named.
        end = _signDigest(P256_KEY, SESSION_KEY, _endDigest(o));
        _grant(account, OWNER_KEY, _defaultGrant(account));
        _refusesEnd(o, end);
    }

    function _refusesEnd(Order memory o, bytes memory signature) private {
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.endWithSig(o, signature);
    }
}

contract P256FurtherKeysTest is FurtherKeysTest(P256_KEY) {}

contract Secp256k1FurtherKeysTest is FurtherKeysTest(SECP256K1_KEY) {}
