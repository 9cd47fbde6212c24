// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Errors} from "@openzeppelin/contracts/utils/Errors.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";

import {Order} from "../src/SwapTypes.sol";
import {Batch, Call} from "../src/SignedBatch.sol";
import {Grant, TradingAccount} from "../src/TradingAccount.sol";
import {P256_KEY, SECP256K1_KEY, SessionFixture} from "./SessionFixture.sol";
import {Vm} from "./Vm.sol";

/// What holds for a key of either kind.
abstract contract SessionKeyTest is SessionFixture {
    uint8 internal immutable kind;

    constructor(uint8 kind_) {
        kind = kind_;
    }

    function setUp() public override {
        super.setUp();
        _grantKey(kind, SESSION_KEY);
    }

    function _signed(Order memory o) internal view returns (bytes memory) {
        return _signOrder(kind, SESSION_KEY, o);
    }

    function test_theGrantNamesTheKey() public {
        Grant memory g = account.grant();
        assert(g.keyKind == kind && g.key == _keyOf(kind, SESSION_KEY));
        Grant memory next = _keyedGrant(account, kind, OTHER_SESSION_KEY);
        vm.recordLogs();
        _grant(account, OWNER_KEY, next);
        assert(keccak256(abi.encode(account.grant())) == keccak256(abi.encode(next)));
        Vm.Log memory log = vm.getRecordedLogs()[0];
        (,,,,,, uint8 keyKind, bytes32 key) =
            abi.decode(log.data, (uint48, bool, uint64, uint64, uint64, uint64, uint8, bytes32));
        assert(keyKind == kind && key == next.key);
    }

    function test_opensWhatTheKeySigned() public {
        Order memory buy = _buy(address(account), 10e6, 6e6);
        assert(_requestSigned(buy, _signed(buy)));
        _eq(_status(buy), 1, "buy");
        _acquire(address(account), MARKET, 0, 10e6);
        Order memory sell = _sell(address(account), 10e6, 6e6);
        sell.receiver = owner;
        assert(_requestSigned(sell, _signed(sell)));
        _eq(_status(sell), 1, "sell");
    }

    function test_anOperatorAloneOpensNothing() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        _unsignedRefused(o, "");
        _unsignedRefused(o, hex"00");
        _unsignedRefused(o, new bytes(65));
        _unsignedRefused(o, new bytes(128));
        _unsignedRefused(o, _signOrder(kind, OTHER_SESSION_KEY, o));
        _unsignedRefused(o, _sign(OWNER_KEY, _orderDigest(o)));
        _unsignedRefused(o, abi.encodePacked(_signed(o), uint8(0)));
        assert(_requestSigned(o, _signed(o)));
    }

    function test_theSignatureBindsEveryField() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signed(o);
        o.quoteLimit += 1;
        _unsignedRefused(o, signature);
        o.quoteLimit -= 1;
        o.quantity -= 1;
        _unsignedRefused(o, signature);
        o.quantity += 1;
        o.receiver = owner;
        _unsignedRefused(o, signature);
        o.receiver = address(account);
        o.outcome = 1;
        _unsignedRefused(o, signature);
        o.outcome = 0;
        o.isBuy = false;
        _unsignedRefused(o, signature);
        o.isBuy = true;
        o.marketKey = OTHER_MARKET;
        _unsignedRefused(o, signature);
        o.marketKey = MARKET;
        o.expiry += 1;
        _unsignedRefused(o, signature);
        o.expiry -= 1;
        o.clientRef = bytes32("another");
        _unsignedRefused(o, signature);
        o.clientRef = bytes32("ref");
        o.salt += 1;
        _unsignedRefused(o, signature);
        o.salt -= 1;
        assert(_requestSigned(o, signature));
    }

    /// Another account of the same session key, another factory's and another chain's.
    function test_theSignatureIsOfOneAccountOnOneChain() public {
        _grant(otherAccount, OTHER_KEY, _keyedGrant(otherAccount, kind, SESSION_KEY));
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signed(o);
        o.account = address(otherAccount);
        o.receiver = address(otherAccount);
        vm.prank(address(vault));
        vm.expectRevert(TradingAccount.OrderNotSigned.selector);
        otherAccount.operatorSwap(o, signature);
        (o.account, o.receiver) = (address(account), address(account));
        uint256 chain = block.chainid;
        vm.chainId(chain + 1);
        _unsignedRefused(o, signature);
        vm.chainId(chain);
        assert(_requestSigned(o, signature));
    }

    function test_theSignatureOpensOneOrderOnce() public {
        Order memory filled = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signed(filled);
        assert(_requestSigned(filled, signature));
        assert(!_requestSigned(filled, signature)); // open
        _fill(filled, 10e6, 6e6);
        assert(!_requestSigned(filled, signature));
        Order memory refunded = _buy(address(account), 10e6, 6e6);
        signature = _signed(refunded);
        assert(_requestSigned(refunded, signature));
        vm.prank(operator);
        vault.refund(refunded);
        assert(!_requestSigned(refunded, signature));
        _eq(_status(refunded), 3, "stays refunded");
    }

    function test_aKeyRevokedInTheSameBlockOpensNothing() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signed(o);
        Order memory earlier = _buy(address(account), 10e6, 6e6);
        assert(_requestSigned(earlier, _signed(earlier))); // a transaction before the revocation's
        vm.prank(owner);
        account.revoke();
        vm.prank(address(vault));
        vm.expectRevert(TradingAccount.GrantExpired.selector);
        account.operatorSwap(o, signature);
        assert(!_requestSigned(o, signature));
        Grant memory none = account.grant();
        assert(none.keyKind == 0 && none.key == 0);
    }

    function test_aRenewalWithAnotherKeyEndsTheFirst() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signed(o);
        _grantKey(kind, OTHER_SESSION_KEY);
        _unsignedRefused(o, signature);
        assert(_requestSigned(o, _signOrder(kind, OTHER_SESSION_KEY, o)));
    }

    function test_aGrantWithoutAKeyWantsNoSignature() public {
        _grant(account, OWNER_KEY, _defaultGrant(account));
        Grant memory g = account.grant();
        assert(g.keyKind == 0 && g.key == 0);
        assert(_requestFor(_buy(address(account), 10e6, 6e6)));
        Order memory o = _buy(address(account), 10e6, 6e6);
        assert(_requestSigned(o, "any"));
    }

    /// What a hijacked page can have the key sign: orders within the caps, for the account or its owner.
    function test_capsHoldForSignedOrdersToo() public {
        Order memory o = _buy(address(account), 9_000e6, 5_000e6 + 1);
        _signedRefused(o, abi.encodeWithSelector(TradingAccount.OverOrderCap.selector, 5_000e6 + 1, 5_000e6));
        o = _buy(address(account), 1e6, 1e6);
        o.receiver = stranger;
        _signedRefused(o, abi.encodeWithSelector(TradingAccount.BadOrder.selector));
        o = _buy(address(account), 9_000e6, 5_000e6);
        assert(_requestSigned(o, _signed(o)));
        o = _buy(address(account), 9_000e6, 3_000e6 + 1); // the day's second
        _signedRefused(o, abi.encodeWithSelector(TradingAccount.OverDayCap.selector, 8_000e6 + 1, 8_000e6));
        o = _buy(address(account), 9_000e6, 3_000e6);
        assert(_requestSigned(o, _signed(o)));
    }

    function _signedRefused(Order memory o, bytes memory reason) private {
        bytes memory signature = _signed(o);
        vm.prank(address(vault));
        vm.expectRevert(reason);
        account.operatorSwap(o, signature);
        assert(!_requestSigned(o, signature));
    }

    /// Both keys are needed: a signed order is not for everyone to open.
    function test_onlyTheOperatorOpensSignedOrders() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signed(o);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorSwap(o, signature);
    }

    function test_aSingleOperatorNeedsTheKeyToo() public {
        Grant memory g = _keyedGrant(account, kind, SESSION_KEY);
        g.operator = stranger;
        _grant(account, OWNER_KEY, g);
        Order memory o = _buy(address(account), 10e6, 6e6);
        vm.prank(stranger);
        vm.expectRevert(TradingAccount.OrderNotSigned.selector);
        account.operatorSwap(o, "");
        bytes memory signature = _signed(o);
        vm.prank(stranger);
        account.operatorSwap(o, signature);
        _eq(_status(o), 1, "opened");
    }

    function test_oneForgedOrderDoesNotStopTheOthers() public {
        Order[] memory list = new Order[](3);
        bytes[] memory signatures = new bytes[](3);
        for (uint256 i; i < 3; ++i) {
            list[i] = _buy(address(account), 1e6, 1e6);
            signatures[i] = _signed(list[i]);
        }
        (signatures[0], signatures[1]) = (signatures[1], signatures[0]); // each is another's
        vm.prank(operator);
        bool[] memory accepted = vault.requestFor(list, signatures);
        assert(!accepted[0] && !accepted[1] && accepted[2]);
        bytes[] memory tooFew = new bytes[](2);
        vm.prank(operator);
        vm.expectRevert();
        vault.requestFor(list, tooFew);
    }

    /// The stolen operator of an account with a session key: back to the owner, and nothing else.
    function test_aStolenOperatorMovesNothing() public {
        vm.startPrank(operator);
        vm.expectRevert(TradingAccount.DestinationNotAllowed.selector);
        account.operatorWithdraw(address(usdc), 0, 1, operator, bytes32("a"));
        vm.expectRevert(TradingAccount.DestinationNotAllowed.selector);
        account.operatorWithdraw(address(token), yes, 1, operator, bytes32("a"));
        account.operatorWithdraw(address(usdc), 0, 1e6, owner, bytes32("a"));
        vm.stopPrank();
        (, uint256 toWithdraw) = account.remainingToday();
        _eq(toWithdraw, 0, "elsewhere");
    }

    /// A session key is no owner: its signature makes no grant, no withdrawal, no batch.
    function test_theKeyIsNoOwner() public {
        Grant memory g = _keyedGrant(account, kind, SESSION_KEY);
        g.maxPerDay += 1;
        bytes memory signature = _sign(SESSION_KEY, _grantDigest(address(account), g));
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.setGrant(g, signature);
        Batch memory b = Batch(new Call[](1), 0, account.batchNonce(), block.timestamp);
        b.calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (stranger, 1e6)));
        signature = _sign(SESSION_KEY, _batchDigest(address(account), b));
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.executeWithSig(b, signature);
        bytes32 hash = keccak256("a message");
        assert(account.isValidSignature(hash, _sign(SESSION_KEY, hash)) != account.isValidSignature.selector);
    }

    function testFuzz_noChangedByteOpensAnything(uint256 which, uint8 change) public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signed(o);
        which %= signature.length;
        if (change == 0) change = 1;
        signature[which] = bytes1(uint8(signature[which]) ^ change);
        _unsignedRefused(o, signature);
    }
}

contract P256SessionTest is SessionKeyTest(P256_KEY) {
    function test_highSIsRefused() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        (bytes32 r, bytes32 s, uint256 x, uint256 y) =
            abi.decode(_signed(o), (bytes32, bytes32, uint256, uint256));
        _unsignedRefused(o, abi.encode(r, P256.N - uint256(s), x, y));
    }

    /// Its hash may be granted; no signature of it is taken.
    function test_aKeyOffTheCurveOpensNothing() public {
        (uint256 x, uint256 y) = vm.publicKeyP256(SESSION_KEY);
        Grant memory g = _keyedGrant(account, P256_KEY, SESSION_KEY);
        g.key = keccak256(abi.encode(x, y + 1));
        _grant(account, OWNER_KEY, g);
        Order memory o = _buy(address(account), 10e6, 6e6);
        (bytes32 r, bytes32 s,,) = abi.decode(_signed(o), (bytes32, bytes32, uint256, uint256));
        _unsignedRefused(o, abi.encode(r, s, x, y + 1));
        g.nonce += 1;
        g.key = keccak256(abi.encode(0, 0));
        _grant(account, OWNER_KEY, g);
        _unsignedRefused(o, abi.encode(r, s, 0, 0));
    }

    /// Browsers hash what they sign, so a signature of the digest itself is another message's.
    function test_theDigestIsHashedOnceMore() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        (uint256 x, uint256 y) = vm.publicKeyP256(SESSION_KEY);
        (bytes32 r, bytes32 s) = vm.signP256(SESSION_KEY, _orderDigest(o));
        if (uint256(s) > P256.N / 2) s = bytes32(P256.N - uint256(s));
        _unsignedRefused(o, abi.encode(r, s, x, y));
    }

    /// A chain without the precompile: nothing opens, and no fallback spends a batch's gas.
    function test_withoutThePrecompileNothingOpens() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory signature = _signed(o);
        vm.mockCall(address(0x100), "", "");
        vm.prank(address(vault));
        vm.expectRevert(abi.encodeWithSelector(Errors.MissingPrecompile.selector, address(0x100)));
        account.operatorSwap(o, signature);
        assert(!_requestSigned(o, signature));
        vm.clearMockedCalls();
        assert(_requestSigned(o, signature));
    }
}

contract Secp256k1SessionTest is SessionKeyTest(SECP256K1_KEY) {
    function test_highSIsRefused() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(SESSION_KEY, _orderDigest(o));
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        _unsignedRefused(o, abi.encodePacked(r, order - uint256(s), v == 27 ? 28 : 27));
    }
}

contract SessionGrantTest is SessionFixture {
    function _badKey(Grant memory g) private {
        vm.prank(owner);
        vm.expectRevert(TradingAccount.BadSessionKey.selector);
        account.setGrant(g, "");
    }

    function test_keysOfOtherKindsAreRefused() public {
        Grant memory g = _keyedGrant(account, SECP256K1_KEY, SESSION_KEY);
        g.keyKind = 0;
        _badKey(g); // would be taken for a grant with a key
        g.keyKind = 3;
        _badKey(g);
        g.keyKind = 255;
        _badKey(g);
        for (uint8 kind = 1; kind < 3; ++kind) {
            (g.keyKind, g.key) = (kind, 0);
            _badKey(g);
        }
    }

    function test_aKeyAndWithdrawalsElsewhereExcludeEachOther() public {
        Grant memory g = _keyedGrant(account, P256_KEY, SESSION_KEY);
        g.withdrawAnywhere = true;
        _badKey(g);
    }

    function test_theOwnerSignsTheKey() public {
        Grant memory g = _keyedGrant(account, P256_KEY, SESSION_KEY);
        bytes memory signature = _sign(OWNER_KEY, _grantDigest(address(account), g));
        bytes32 key = g.key;
        g.key = _keyOf(P256_KEY, OTHER_SESSION_KEY);
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.setGrant(g, signature);
        (g.keyKind, g.key) = (SECP256K1_KEY, key);
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.setGrant(g, signature);
        (g.keyKind, g.key) = (0, 0);
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.setGrant(g, signature);
    }

    function test_deployedWithItsFirstGrant() public {
        uint256 key = 0xCAFE;
        address somebody = vm.addr(key);
        TradingAccount a = TradingAccount(payable(factory.addressOf(somebody)));
        Grant memory g = _keyedGrant(a, P256_KEY, SESSION_KEY);
        bytes memory signature = _sign(key, _grantDigest(address(a), g));
        factory.createAndGrant(somebody, g, signature);
        factory.createAndGrant(somebody, g, signature); // already relayed
        _fund(address(a), 10e6);
        Order memory o = _buy(address(a), 10e6, 6e6);
        assert(!_requestFor(o));
        assert(_requestSigned(o, _signOrder(P256_KEY, SESSION_KEY, o)));
    }

    function testFuzz_whatIsSignedIsWhatIsRecorded(bytes32 key, uint8 kind, address to) public {
        Grant memory g = _defaultGrant(account);
        (g.operator, g.withdrawAnywhere) = (to, false);
        (g.keyKind, g.key) = (kind % 3, kind % 3 == 0 || key == 0 ? bytes32(uint256(kind % 3)) : key);
        _grant(account, OWNER_KEY, g);
        assert(keccak256(abi.encode(account.grant())) == keccak256(abi.encode(g)));
    }
}
