// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";

import {Batch, Call} from "../src/SignedBatch.sol";
import {Order} from "../src/SwapTypes.sol";
import {Grant, TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {P256_KEY, SECP256K1_KEY, SessionFixture} from "./SessionFixture.sol";

/// An operator's key alone, against an account whose grant has a browser's key and a program's: it may
/// delay what they signed; it never trades otherwise and never takes.
contract MaliciousOperatorTest is SessionFixture {
    uint256 private constant PROGRAM_KEY = 0x5E551033;
    uint256 private constant SECP256K1_N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    uint256 private usdcBefore;

    function setUp() public override {
        super.setUp();
        _grantKey(P256_KEY, SESSION_KEY);
        vm.prank(owner);
        account.addSessionKey(0, SECP256K1_KEY, _keyOf(SECP256K1_KEY, PROGRAM_KEY));
        _acquire(address(account), MARKET, 0, 5e6);
        usdcBefore = _usdc(address(account));
    }

    function _signer(uint8 kind) private pure returns (uint256) {
        return kind == P256_KEY ? SESSION_KEY : PROGRAM_KEY;
    }

    function _signed(uint8 kind, Order memory o) private view returns (bytes memory) {
        return _signOrder(kind, _signer(kind), o);
    }

    function _nothingMoved() private view {
        _eq(_usdc(address(account)), usdcBefore, "USDC stays");
        _eq(token.balanceOf(address(account), yes), 5e6, "tokens stay");
    }

    function test_makesNoOrder() public {
        _unsignedRefused(_buy(address(account), 10e6, 6e6), "");
        _unsignedRefused(_sell(address(account), 5e6, 1e6), "");
        Order memory o = _buy(address(account), 10e6, 6e6);
        vm.startPrank(operator);
        vm.expectRevert(TradingAccount.OnlyOperator.selector);
        account.operatorSwap(o, "");
        vm.expectRevert(bytes4(keccak256("OnlyOrderAccount()")));
        vault.request(o);
        vm.stopPrank();
        _nothingMoved();
    }

    function test_changesNothingOfWhatWasSigned() public {
        for (uint8 kind = P256_KEY; kind <= SECP256K1_KEY; ++kind) {
            Order memory signed = _buy(address(account), 10e6, 6e6);
            bytes memory signature = _signed(kind, signed);
            for (uint256 field; field < 9; ++field) {
                Order memory o = abi.decode(abi.encode(signed), (Order));
                if (field == 0) o.receiver = owner;
                if (field == 1) o.marketKey = OTHER_MARKET;
                if (field == 2) o.outcome = 1;
                if (field == 3) o.isBuy = false;
                if (field == 4) o.quantity -= 1;
                if (field == 5) o.quoteLimit += 1;
                if (field == 6) o.expiry += 1;
                if (field == 7) o.clientRef = bytes32("another");
                if (field == 8) o.salt += 1000;
                _unsignedRefused(o, signature);
            }
            signed.receiver = operator;
            assert(!_requestSigned(signed, signature));
        }
        _nothingMoved();
    }

    /// Both accounts let the same keys sign.
    function test_opensItForNoOtherAccount() public {
        _grant(otherAccount, OTHER_KEY, _keyedGrant(otherAccount, P256_KEY, SESSION_KEY));
        vm.prank(other);
        otherAccount.addSessionKey(0, SECP256K1_KEY, _keyOf(SECP256K1_KEY, PROGRAM_KEY));
        for (uint8 kind = P256_KEY; kind <= SECP256K1_KEY; ++kind) {
            Order memory o = _buy(address(account), 10e6, 6e6);
            bytes memory signature = _signed(kind, o);
            (o.account, o.receiver) = (address(otherAccount), address(otherAccount));
            assert(!_requestSigned(o, signature));
            assert(_requestSigned(o, _signed(kind, o)));
        }
        _nothingMoved();
    }

    function test_repeatsNothing() public {
        for (uint8 kind = P256_KEY; kind <= SECP256K1_KEY; ++kind) {
            Order memory filled = _buy(address(account), 1e6, 1e6);
            Order memory refunded = _buy(address(account), 1e6, 1e6);
            bytes memory first = _signed(kind, filled);
            bytes memory second = _signed(kind, refunded);
            assert(_requestSigned(filled, first) && _requestSigned(refunded, second));
            assert(!_requestSigned(filled, first)); // open
            _fill(filled, 1e6, 1e6);
            vm.prank(operator);
            vault.refund(refunded);
            assert(!_requestSigned(filled, first) && !_requestSigned(refunded, second));
            _eq(_status(filled) * 10 + _status(refunded), 23, "filled, refunded");
        }
    }

    /// The order of transactions in a block decides, and the owner's came first.
    function test_usesNoKeyThatIsGone() public {
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory browsers = _signed(P256_KEY, o);
        bytes memory programs = _signed(SECP256K1_KEY, o);
        vm.startPrank(owner);
        account.removeSessionKey(0, _keyOf(P256_KEY, SESSION_KEY));
        account.removeSessionKey(0, _keyOf(SECP256K1_KEY, PROGRAM_KEY));
        vm.stopPrank();
        _unsignedRefused(o, browsers);
        _unsignedRefused(o, programs);
        _nothingMoved();
    }

    function test_bringsBackNoGrant() public {
        Grant memory current = account.grant();
        bytes memory currentSignature = _sign(OWNER_KEY, _grantDigest(address(account), current));
        Grant memory unused = _keyedGrant(account, P256_KEY, SESSION_KEY); // signed, not recorded
        bytes memory unusedSignature = _sign(OWNER_KEY, _grantDigest(address(account), unused));
        Order memory o = _buy(address(account), 10e6, 6e6);
        bytes memory browsers = _signed(P256_KEY, o);
        bytes memory programs = _signed(SECP256K1_KEY, o);
        vm.prank(owner);
        account.revoke();
        vm.startPrank(operator);
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 2));
        account.setGrant(current, currentSignature);
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 2));
        account.setGrant(unused, unusedSignature);
        vm.stopPrank();
        assert(!_requestSigned(o, browsers) && !_requestSigned(o, programs));
        // A new grant of the browser's key takes none of the former grant's other keys along.
        _grantKey(P256_KEY, SESSION_KEY);
        _unsignedRefused(o, programs);
        _nothingMoved();
    }

    function test_withdrawsToTheOwnerOnly() public {
        address[3] memory destinations = [operator, stranger, address(otherAccount)];
        vm.startPrank(operator);
        for (uint256 i; i < destinations.length; ++i) {
            vm.expectRevert(TradingAccount.DestinationNotAllowed.selector);
            account.operatorWithdraw(address(usdc), 0, 1, destinations[i], bytes32(i));
            vm.expectRevert(TradingAccount.DestinationNotAllowed.selector);
            account.operatorWithdraw(address(token), yes, 1, destinations[i], bytes32(i));
        }
        vm.stopPrank();
        _nothingMoved();
        vm.prank(operator);
        account.operatorWithdraw(address(usdc), 0, 1, owner, bytes32("ref"));
        _eq(_usdc(owner), 1, "the owner has it");
    }

    /// Nor with the help of a stolen session key, which signs orders alone.
    function test_changesNoKeyAndNoCap() public {
        Grant memory g = _keyedGrant(account, SECP256K1_KEY, PROGRAM_KEY);
        g.maxPerDay += 1;
        bytes memory byProgram = _sign(PROGRAM_KEY, _grantDigest(address(account), g));
        Withdrawal memory w = Withdrawal(address(usdc), 0, 1e6, operator, bytes32("ref"), block.timestamp);
        bytes memory withdrawal = _sign(PROGRAM_KEY, _withdrawalDigest(address(account), w));
        bytes32 key = _keyOf(P256_KEY, OTHER_SESSION_KEY);
        Batch memory b = Batch(new Call[](1), 0, 0, block.timestamp);
        b.calls[0] = Call(address(account), 0, abi.encodeCall(account.addSessionKey, (0, P256_KEY, key)));
        bytes memory batch = _sign(PROGRAM_KEY, _batchDigest(address(account), b));
        vm.startPrank(operator);
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.setGrant(g, byProgram);
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.withdrawWithSig(w, withdrawal);
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        account.executeWithSig(b, batch);
        vm.expectRevert(TradingAccount.OnlyOwner.selector);
        account.addSessionKey(0, P256_KEY, key);
        vm.expectRevert(TradingAccount.OnlyOwner.selector);
        account.removeSessionKey(0, _keyOf(P256_KEY, SESSION_KEY));
        vm.expectRevert(TradingAccount.OnlyOwner.selector);
        account.revoke();
        vm.stopPrank();
        _eq(account.sessionKeyKind(key), 0, "no key was added");
        _nothingMoved();
    }

    /// Each forgery of an order that the right signature then opens.
    function test_theForgedSignatureCorpusOpensNothing() public {
        for (uint8 kind = P256_KEY; kind <= SECP256K1_KEY; ++kind) {
            Order memory o = _buy(address(account), 10e6, 6e6);
            bytes memory right = _signed(kind, o);
            bytes[] memory forged = kind == P256_KEY ? _forgedP256(o) : _forgedSecp256k1(o);
            for (uint256 i; i < forged.length; ++i) _unsignedRefused(o, forged[i]);
            for (uint256 length; length < right.length; ++length) _unsignedRefused(o, _cut(right, length));
            _unsignedRefused(o, abi.encodePacked(right, hex"00"));
            assert(_requestSigned(o, right));
        }
        _eq(_usdc(address(account)), usdcBefore - 12e6, "the two signed orders alone");
    }

    function _forgedP256(Order memory o) private view returns (bytes[] memory forged) {
        (bytes32 r, bytes32 s, bytes32 x, bytes32 y) =
            abi.decode(_signed(P256_KEY, o), (bytes32, bytes32, bytes32, bytes32));
        (bytes32 otherR, bytes32 otherS,,) =
            abi.decode(_signOrder(P256_KEY, OTHER_SESSION_KEY, o), (bytes32, bytes32, bytes32, bytes32));
        forged = new bytes[](13);
        forged[0] = abi.encode(r, bytes32(P256.N - uint256(s)), x, y); // high s
        forged[1] = abi.encode(otherR, otherS, x, y); // of a wrong key, with the right one beside it
        forged[2] = _signOrder(P256_KEY, OTHER_SESSION_KEY, o); // of a wrong key
        forged[3] = abi.encode(r, s, x, bytes32(uint256(y) + 1)); // off the curve
        forged[4] = abi.encode(r, s, x, bytes32(P256.P - uint256(y))); // the mirrored key
        forged[5] = abi.encode(r, s, bytes32(0), bytes32(0));
        forged[6] = abi.encode(bytes32(0), s, x, y);
        forged[7] = abi.encode(r, bytes32(0), x, y);
        forged[8] = abi.encode(bytes32(P256.N), s, x, y);
        forged[9] = abi.encode(bytes32(type(uint256).max), s, x, y);
        forged[10] = abi.encode(s, r, x, y);
        forged[11] = _signOrder(P256_KEY, PROGRAM_KEY, o); // the program's number, as the other kind
        forged[12] = _signDigest(P256_KEY, SESSION_KEY, keccak256(abi.encode(o))); // of another message
    }

    function _forgedSecp256k1(Order memory o) private view returns (bytes[] memory forged) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(PROGRAM_KEY, _orderDigest(o));
        forged = new bytes[](12);
        forged[0] = abi.encodePacked(r, bytes32(SECP256K1_N - uint256(s)), v == 27 ? 28 : 27); // high s
        forged[1] = _signOrder(SECP256K1_KEY, OTHER_SESSION_KEY, o); // of a wrong key
        forged[2] = _signOrder(SECP256K1_KEY, SESSION_KEY, o); // the browser's number, as the other kind
        forged[3] = _sign(OWNER_KEY, _orderDigest(o)); // of the owner, who needs no operator
        forged[4] = abi.encodePacked(r, s, uint8(v == 27 ? 28 : 27));
        forged[5] = abi.encodePacked(r, s, uint8(v - 27));
        forged[6] = abi.encodePacked(r, s, uint8(255));
        forged[7] = abi.encodePacked(bytes32(0), s, v); // recovers nobody
        forged[8] = abi.encodePacked(r, bytes32(0), v);
        forged[9] = abi.encodePacked(bytes32(SECP256K1_N), s, v);
        forged[10] = abi.encodePacked(s, r, v);
        forged[11] = _sign(PROGRAM_KEY, sha256(abi.encode(_orderDigest(o)))); // as browsers hash
    }

    function _cut(bytes memory whole, uint256 length) private pure returns (bytes memory part) {
        part = new bytes(length);
        for (uint256 i; i < length; ++i) part[i] = whole[i];
    }
}
