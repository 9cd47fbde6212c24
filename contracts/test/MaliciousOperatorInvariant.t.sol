// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";

import {OutcomeToken} from "../src/OutcomeToken.sol";
import {Batch, Call} from "../src/SignedBatch.sol";
import {Settlement} from "../src/Settlement.sol";
import {Fill, Order, Redemption} from "../src/SwapTypes.sol";
import {SwapVault} from "../src/SwapVault.sol";
import {TestUsdc} from "../src/TestUsdc.sol";
import {Grant, TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {TradingAccountFactory} from "../src/TradingAccountFactory.sol";
import {BATCH} from "./ContractOwner.sol";
import {P256_KEY, SECP256K1_KEY, SessionFixture} from "./SessionFixture.sol";
import {Vm} from "./Vm.sol";

/// What the thief has others sign, and signs itself.
interface ISigner {
    function signOrder(uint8 kind, Order memory o) external view returns (bytes memory);
    function forgeGrant(Grant memory g) external view returns (bytes memory);
    function forgeBatch(Batch memory b) external view returns (bytes memory);
    function forgeWithdrawal(Withdrawal memory w) external view returns (bytes memory);
    function forgeOrder(Order memory o) external view returns (bytes memory);
    function thiefKey() external view returns (bytes32);
    function deviceKey() external view returns (bytes32);
}

/// A thief with an operator's key, against an account whose browser and program sign orders. It calls
/// every function it can, in any order, with what it has seen signed and with what it makes up.
contract OperatorThief {
    Vm private constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    struct Scene {
        SwapVault vault;
        TradingAccountFactory factory;
        TradingAccount account;
        address owner;
        address operator;
        bytes32[2] markets;
        ISigner signer;
    }

    bytes4 private constant EXECUTE = bytes4(keccak256("execute(bytes32,bytes)"));

    SwapVault private immutable vault;
    Settlement private immutable settlement;
    OutcomeToken private immutable token;
    TestUsdc private immutable usdc;
    TradingAccount private immutable account;
    Scene private s;
    uint128 private salts = 1 << 64;
    uint256 private refs;

    /// What the devices have signed, each once: opened or not, the signatures are known to the thief.
    Order[] public signed;
    bytes[] private signatures;
    string public violation;
    mapping(bytes32 => uint256) public calls;

    constructor(Scene memory scene) {
        s = scene;
        (vault, account) = (scene.vault, scene.account);
        (settlement, token) = (scene.vault.settlement(), scene.vault.outcomeToken());
        usdc = TestUsdc(address(scene.vault.usdc()));
    }

    // ------------------------------------------------------------ what may succeed

    /// A device signs an order, which the service should open now.
    function deviceSigns(uint256 which, bool isBuy, uint128 quantity, uint128 limit) external {
        quantity = 1 + (quantity % 100e6);
        Order memory o = Order({
            account: address(account),
            receiver: address(account),
            marketKey: s.markets[which % 2],
            outcome: uint8((which >> 8) % 2),
            isBuy: isBuy,
            quantity: quantity,
            quoteLimit: 1 + (limit % quantity),
            expiry: uint64(vm.getBlockTimestamp() + 60 + (which % 2 hours)),
            clientRef: bytes32("ref"),
            salt: ++salts
        });
        signed.push(o);
        signatures.push(s.signer.signOrder(which % 3 == 0 ? P256_KEY : SECP256K1_KEY, o));
    }

    /// As it was signed, late perhaps; or changed, with that signature, another one or the thief's own.
    function open(uint256 which, uint256 change, uint128 worse) external {
        if (signed.length == 0) return;
        uint256 index = which % signed.length;
        Order memory o = signed[index];
        bytes memory signature = signatures[index];
        if (change % 3 == 0) {
            _changed(o, change / 3, 1 + worse % 1_000e6);
            if (change % 4 == 1) signature = signatures[worse % signatures.length];
            if (change % 4 == 2) signature = s.signer.forgeOrder(o);
            if (change % 4 == 3) signature = "";
        }
        Order[] memory list = new Order[](1);
        bytes[] memory by = new bytes[](1);
        (list[0], by[0]) = (o, signature);
        bool isSigned = change % 3 != 0;
        vm.prank(s.operator);
        bool accepted = vault.requestFor(list, by)[0];
        if (accepted && !isSigned) _broken("an order that no device signed was opened");
        ++calls[!isSigned ? bytes32("changed") : accepted ? bytes32("opened") : bytes32("refused")];
    }

    function _changed(Order memory o, uint256 field, uint128 by) private view {
        field %= 9;
        if (field == 0) o.receiver = by % 2 == 0 ? s.owner : s.operator;
        if (field == 1) o.marketKey = s.markets[o.marketKey == s.markets[0] ? 1 : 0];
        if (field == 2) o.outcome = 1 - o.outcome;
        if (field == 3) o.isBuy = !o.isBuy;
        if (field == 4) o.quantity += by;
        if (field == 5) o.quoteLimit += by;
        if (field == 6) o.expiry += uint64(by % 1 days) + 1;
        if (field == 7) o.clientRef = bytes32(uint256(by));
        if (field == 8) o.salt -= by;
    }

    /// Any totals: what passes the order's price or repeats is refused.
    function fill(uint256 which, uint128 filled, uint128 quote, bool inBatch) external {
        if (signed.length == 0) return;
        Order memory o = signed[which % signed.length];
        filled = 1 + (filled % o.quantity);
        uint256 fair = (uint256(o.quoteLimit) * filled + (o.isBuy ? 0 : o.quantity - 1)) / o.quantity;
        quote = which % 4 == 0 ? quote % 200e6 : uint128(fair);
        Fill[] memory fills = new Fill[](1);
        fills[0] = Fill(o, uint104(filled), uint104(quote), which % 3 == 0);
        bytes memory data =
            inBatch ? abi.encodeCall(vault.fillBatch, (fills)) : abi.encodeCall(vault.fill, (fills[0]));
        (,, uint104 before,) = vault.progressOf(vault.orderIdOf(o));
        _try(address(vault), data);
        (,, uint104 reached,) = vault.progressOf(vault.orderIdOf(o));
        if (reached > before) ++calls[o.isBuy ? bytes32("bought") : bytes32("sold")];
    }

    function refund(uint256 which, bool inBatch) external {
        if (signed.length == 0) return;
        Order[] memory list = new Order[](1);
        list[0] = signed[which % signed.length];
        bytes memory data =
            inBatch ? abi.encodeCall(vault.refundBatch, (list)) : abi.encodeCall(vault.refund, (list[0]));
        if (_try(address(vault), data) && !inBatch) ++calls["refunded"];
    }

    function withdraw(uint256 which, uint256 amount, address anywhere) external {
        address to = which % 3 == 0 ? s.owner : which % 3 == 1 ? s.operator : anywhere;
        (address asset, uint256 id) = which & 4 == 0 ? (address(usdc), 0) : (address(token), _tokenId(which >> 3));
        bytes memory data =
            abi.encodeCall(account.operatorWithdraw, (asset, id, amount % 20e6, to, bytes32(++refs)));
        bool isDone = _try(address(account), data);
        if (isDone && to != s.owner) _broken("withdrawn to another than the owner");
        if (isDone) ++calls["withdrawn to the owner"];
    }

    function pass(uint32 time) external {
        vm.warp(vm.getBlockTimestamp() + 1 + (time % 10 minutes));
    }

    // ------------------------------------------------------------ what must fail

    function overreach(uint256 which, uint256 kind) external {
        (Order memory o, bytes memory signature) = _seen(which / 16);
        if (o.account == address(0)) return;
        (address to, bytes memory data) = (address(account), _ofAccount(which % 12, o));
        if (kind % 4 == 1) (to, data) = (address(vault), _ofVault(which % 12, o, signature));
        if (kind % 4 == 2) (to, data) = (address(settlement), _ofSettlement(which % 5, o));
        if (kind % 4 == 3) (to, data) = _ofOthers(which % 5, o);
        if (_try(to, data)) _broken("an operator did what it may not");
        ++calls["overreached"];
    }

    function _seen(uint256 which) private view returns (Order memory o, bytes memory signature) {
        if (signed.length > 0) (o, signature) = (signed[which % signed.length], signatures[which % signed.length]);
    }

    /// What the owner, its keys, the vault and the entry point do, with the thief's signatures.
    function _ofAccount(uint256 pick, Order memory o) private view returns (bytes memory) {
        ISigner signer = s.signer;
        if (pick == 0) return abi.encodeCall(account.setGrant, (_wideGrant(), signer.forgeGrant(_wideGrant())));
        if (pick == 1) return abi.encodeCall(account.addSessionKey, (0, SECP256K1_KEY, signer.thiefKey()));
        if (pick == 2) return abi.encodeCall(account.removeSessionKey, (0, signer.deviceKey()));
        if (pick == 3) return abi.encodeCall(account.revoke, ());
        if (pick == 4) return abi.encodeWithSelector(EXECUTE, BATCH, abi.encode(_payment().calls));
        if (pick == 5) return abi.encodeCall(account.executeWithSig, (_payment(), signer.forgeBatch(_payment())));
        if (pick == 6) {
            return abi.encodeCall(account.withdrawWithSig, (_withdrawal(), signer.forgeWithdrawal(_withdrawal())));
        }
        if (pick == 7) return abi.encodeCall(account.endWithSig, (o, signer.forgeOrder(o)));
        if (pick == 8) return abi.encodeCall(account.endWithSig, (o, signer.signOrder(P256_KEY, o))); // no end
        if (pick == 9) return abi.encodeCall(account.operatorSwap, (o, signer.signOrder(P256_KEY, o)));
        if (pick == 10) return abi.encodeCall(account.operatorWithdraw, (address(0), 0, 1, s.operator, "ether"));
        PackedUserOperation memory operation;
        return abi.encodeCall(account.validateUserOp, (operation, bytes32(0), 0));
    }

    /// What the account, the vault itself, its settlement and its other roles do.
    function _ofVault(uint256 pick, Order memory o, bytes memory signature) private view returns (bytes memory) {
        if (pick == 0) return abi.encodeCall(vault.request, (o));
        if (pick == 1) return abi.encodeCall(vault.requestEnd, (o));
        if (pick == 2) return abi.encodeCall(vault.requestTask, (o, signature));
        if (pick == 3) return abi.encodeCall(vault.fillMember, (Fill(o, 1, 1, true)));
        if (pick == 4) return abi.encodeCall(vault.refundTask, (o, true));
        if (pick == 5) return abi.encodeCall(vault.payForPairs, (address(account), o.marketKey, 1));
        if (pick == 6) return abi.encodeCall(vault.burnPaid, (address(account), o.marketKey, o.outcome, 1));
        if (pick == 7) return abi.encodeCall(vault.fixPayouts, (o.marketKey, 0, 0));
        if (pick == 8) return abi.encodeCall(vault.sweep, (1));
        if (pick == 9) return abi.encodeCall(vault.claim, (address(account)));
        if (pick == 10) return abi.encodeCall(vault.setBuckets, (1, 1, 1));
        return abi.encodeCall(vault.claimTokens, (address(account), _tokenId(o.outcome), s.operator));
    }

    /// Nothing of these markets is settled, and the thief holds no pair.
    function _ofSettlement(uint256 pick, Order memory o) private view returns (bytes memory) {
        if (pick == 0) return abi.encodeCall(settlement.proposeSettlement, (o.marketKey, 0, 0));
        if (pick == 1) return abi.encodeCall(settlement.finalizeSettlement, (o.marketKey));
        if (pick == 2) return abi.encodeCall(settlement.merge, (o.marketKey, 1));
        if (pick == 3) return abi.encodeCall(settlement.redeem, (address(account), o.marketKey, o.outcome, 1));
        Redemption memory r = Redemption(address(account), o.marketKey, o.outcome, 1);
        return abi.encodeCall(settlement.redeemTask, (r, s.owner));
    }

    function _ofOthers(uint256 pick, Order memory o) private view returns (address, bytes memory) {
        uint256 id = vault.tokenIdOf(o.marketKey, o.outcome);
        if (pick == 0) return (address(usdc), abi.encodeCall(usdc.transferFrom, (address(account), s.operator, 1)));
        if (pick == 1) {
            return (address(token), abi.encodeCall(token.safeTransferFrom, (address(account), s.operator, id, 1, "")));
        }
        if (pick == 2) return (address(token), abi.encodeCall(token.burnFrom, (address(account), id, 1)));
        if (pick == 3) return (address(token), abi.encodeCall(token.mint, (s.operator, id, 1)));
        bytes memory forged = s.signer.forgeBatch(_payment());
        return (address(s.factory), abi.encodeCall(s.factory.createAndExecute, (s.owner, _payment(), forged)));
    }

    // ------------------------------------------------------------ helpers

    function count() external view returns (uint256) {
        return signed.length;
    }

    function orderAt(uint256 index) external view returns (Order memory) {
        return signed[index];
    }

    function _try(address to, bytes memory data) private returns (bool ok) {
        vm.prank(s.operator);
        (ok,) = to.call(data);
    }

    function _tokenId(uint256 which) private view returns (uint256) {
        return vault.tokenIdOf(s.markets[which % 2], uint8((which >> 1) % 2));
    }

    function _wideGrant() private view returns (Grant memory g) {
        g = account.grant();
        (g.nonce, g.keyKind, g.key, g.withdrawAnywhere) = (g.nonce + 1, 0, 0, true);
    }

    function _payment() private view returns (Batch memory b) {
        b = Batch(new Call[](1), 0, account.batchNonce(), vm.getBlockTimestamp());
        b.calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (s.operator, 1)));
    }

    function _withdrawal() private view returns (Withdrawal memory) {
        return Withdrawal(address(usdc), 0, 1, s.operator, bytes32("stolen"), vm.getBlockTimestamp());
    }

    function _broken(string memory rule) private {
        if (bytes(violation).length == 0) violation = rule;
    }
}

/// Whatever the thief does, the account has exactly what the orders of its devices left it, at no worse
/// than their prices, and the thief has nothing.
contract MaliciousOperatorInvariantTest is SessionFixture, ISigner {
    uint256 private constant PROGRAM_KEY = 0x5E551033;
    uint256 private constant THIEF_KEY = 0x7417EF;
    int256 private constant HELD = 500e6;

    OperatorThief private thief;
    address private thiefsAddress;
    uint256 private usdcBefore;
    bytes32 private grantBefore;

    function setUp() public override {
        super.setUp();
        thiefsAddress = vm.addr(THIEF_KEY);
        bytes32 operatorRole = vault.OPERATOR_ROLE();
        vm.startPrank(admin);
        vault.grantRole(operatorRole, thiefsAddress);
        vault.setTimings(1 hours, 365 days);
        vm.stopPrank();
        Grant memory g = _keyedGrant(account, P256_KEY, SESSION_KEY);
        (g.validUntil, g.maxPerDay) = (uint48(START + 365 days), 1_000_000e6);
        _grant(account, OWNER_KEY, g);
        vm.prank(owner);
        account.addSessionKey(0, SECP256K1_KEY, _keyOf(SECP256K1_KEY, PROGRAM_KEY));
        bytes32[2] memory markets = [MARKET, OTHER_MARKET];
        for (uint256 i; i < 4; ++i) {
            _attest(markets[i / 2], 100_000e6);
            _acquire(address(account), markets[i / 2], uint8(i % 2), uint128(uint256(HELD)));
        }
        thief = new OperatorThief(
            OperatorThief.Scene(vault, factory, account, owner, thiefsAddress, markets, this)
        );
        (usdcBefore, grantBefore) = (_usdc(address(account)), keccak256(abi.encode(account.grant())));
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(thief);
    }

    function signOrder(uint8 kind, Order memory o) external view returns (bytes memory) {
        return _signOrder(kind, kind == P256_KEY ? SESSION_KEY : PROGRAM_KEY, o);
    }

    function forgeGrant(Grant memory g) external view returns (bytes memory) {
        return _sign(THIEF_KEY, _grantDigest(address(account), g));
    }

    function forgeBatch(Batch memory b) external view returns (bytes memory) {
        return _sign(THIEF_KEY, _batchDigest(address(account), b));
    }

    function forgeWithdrawal(Withdrawal memory w) external view returns (bytes memory) {
        return _sign(THIEF_KEY, _withdrawalDigest(address(account), w));
    }

    function forgeOrder(Order memory o) external view returns (bytes memory) {
        return _signOrder(o.salt % 2 == 0 ? P256_KEY : SECP256K1_KEY, THIEF_KEY, o);
    }

    function thiefKey() external pure returns (bytes32) {
        return _keyOf(SECP256K1_KEY, THIEF_KEY);
    }

    function deviceKey() external pure returns (bytes32) {
        return _keyOf(P256_KEY, SESSION_KEY);
    }

    /// Draws as the fuzzer does.
    function test_theThiefReachesWhatTheKeyAllows() external {
        for (uint256 i; i < 700; ++i) {
            uint256 x = uint256(keccak256(abi.encode(i)));
            (uint128 a, uint128 b) = (uint128(x), uint128(x >> 128));
            uint256 kind = (x >> 100) % 9;
            if (kind == 0) thief.deviceSigns(b, x & 1 == 0, a, b);
            if (kind == 1) thief.open(b, a, b);
            if (kind == 2 || kind == 3) thief.fill(b, a, b, x & 1 == 0);
            if (kind == 4) thief.refund(b, x & 1 == 0);
            if (kind == 5) thief.withdraw(a, b, address(uint160(x)));
            if (kind == 6) thief.pass(uint32(x));
            if (kind > 6) thief.overreach(a, b);
        }
        bytes32[8] memory names = [
            bytes32("opened"), "changed", "refused", "bought", "sold", "refunded", "withdrawn to the owner",
            "overreached"
        ];
        for (uint256 i; i < names.length; ++i) {
            if (thief.calls(names[i]) == 0) revert(string(abi.encodePacked("never reached: ", names[i])));
        }
        this.invariant_opensOnlyWhatADeviceSigned();
        this.invariant_theAccountHasWhatItsOrdersLeft();
    }

    function invariant_opensOnlyWhatADeviceSigned() external view {
        if (bytes(thief.violation()).length != 0) revert(thief.violation());
        assert(keccak256(abi.encode(account.grant())) == grantBefore);
        _eq(account.sessionKeyKind(_keyOf(SECP256K1_KEY, THIEF_KEY)), 0, "the thief's key");
        _eq(account.batchNonce(), 0, "batches");
        _eq(_usdc(thiefsAddress), 0, "the thief's USDC");
        for (uint256 i; i < 4; ++i) _eq(token.balanceOf(thiefsAddress, _tokenId(i)), 0, "the thief's tokens");
    }

    /// With what the thief has sent its owner, which it may do.
    function invariant_theAccountHasWhatItsOrdersLeft() external view {
        int256 cash = int256(usdcBefore);
        int256[4] memory held = [HELD, HELD, HELD, HELD];
        for (uint256 i; i < thief.count(); ++i) {
            Order memory o = thief.orderAt(i);
            (uint8 status,, uint104 filled, uint104 charged) = vault.progressOf(vault.orderIdOf(o));
            if (status == 0 || status == 4) continue;
            uint256 which = (o.marketKey == MARKET ? 0 : 2) + o.outcome;
            if (o.isBuy) {
                cash -= int256(status == 1 ? uint256(o.quoteLimit) : charged);
                held[which] += int256(uint256(filled));
                assert(uint256(charged) * o.quantity <= uint256(o.quoteLimit) * filled);
            } else {
                cash += int256(uint256(charged));
                held[which] -= int256(status == 1 ? uint256(o.quantity) : filled);
                assert(uint256(charged) * o.quantity >= uint256(o.quoteLimit) * filled);
            }
        }
        assert(int256(_usdc(address(account)) + _usdc(owner)) == cash);
        for (uint256 i; i < 4; ++i) {
            uint256 id = _tokenId(i);
            assert(int256(token.balanceOf(address(account), id) + token.balanceOf(owner, id)) == held[i]);
        }
    }

    function _tokenId(uint256 which) private view returns (uint256) {
        return vault.tokenIdOf(which < 2 ? MARKET : OTHER_MARKET, uint8(which % 2));
    }
}
