// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";

import {PasskeyWallet} from "../src/PasskeyWallet.sol";
import {PasskeyWalletFactory} from "../src/PasskeyWalletFactory.sol";
import {Order} from "../src/SwapTypes.sol";
import {Batch, Call, SignedBatch} from "../src/SignedBatch.sol";
import {Grant, TradingAccount, Withdrawal} from "../src/TradingAccount.sol";
import {BATCH, ContractOwner} from "./ContractOwner.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

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

contract PasskeySignatureTest is PasskeyFixture {
    bytes32 private constant HASH = keccak256("hash");

    function _refuses(Ceremony memory c) private view {
        assert(!_isValid(wallet, HASH, _assert(PASSKEY, _wrapped(wallet, HASH), c)));
    }

    function test_acceptsWhatThePasskeySigned() public view {
        bytes memory signature = _assert(PASSKEY, _wrapped(wallet, HASH));
        assert(_isValid(wallet, HASH, signature));
        assert(!_isValid(wallet, keccak256("other"), signature));
        assert(!_isValid(wallet, HASH, _assert(PASSKEY, HASH))); // not wrapped
        assert(!_isValid(wallet, HASH, _assert(SECOND, _wrapped(wallet, HASH))));
    }

    /// An owner in common shares no signatures, nor does another chain.
    function test_aSignatureIsOfOneWalletAndChain() public {
        (bytes32 x, bytes32 y) = _keyOf(SECOND);
        _execute(PASSKEY, address(wallet), abi.encodeCall(wallet.addKey, (x, y)));
        bytes memory ofOther = _assert(SECOND, _wrapped(otherWallet, HASH));
        assert(_isValid(otherWallet, HASH, ofOther) && !_isValid(wallet, HASH, ofOther));
        bytes memory signature = _assert(SECOND, _wrapped(wallet, HASH));
        assert(_isValid(wallet, HASH, signature) && !_isValid(otherWallet, HASH, signature));
        vm.chainId(block.chainid + 1);
        assert(!_isValid(wallet, HASH, signature));
    }

    function test_refusesCeremoniesThatProveTooLittle() public view {
        Ceremony memory c = _usual();
        c.isHighS = true;
        _refuses(c);
        c = _usual();
        c.flags = 0x19; // not verified
        _refuses(c);
        c.flags = 0x1c; // not present
        _refuses(c);
        c.flags = 0x15; // backed up, but not eligible
        _refuses(c);
        c = _usual();
        c.kind = "webauthn.create";
        _refuses(c);
        c.kind = "payment.get";
        _refuses(c);
    }

    /// The chain checks no origin and no frame: authenticator, browser and service do.
    function test_theOriginIsTheBrowsersToCheck() public view {
        Ceremony memory c = _usual();
        c.origin = "https://other.example";
        assert(_isValid(wallet, HASH, _assert(PASSKEY, _wrapped(wallet, HASH), c)));
        c.isFramed = true;
        assert(_isValid(wallet, HASH, _assert(PASSKEY, _wrapped(wallet, HASH), c)));
    }

    function test_wrongIndicesAreFalse() public view {
        bytes memory signature = _assert(PASSKEY, _wrapped(wallet, HASH));
        for (uint256 word = 4; word < 6; ++word) {
            for (uint256 index; index < 4; ++index) {
                uint256 wrong = [uint256(0), 2, 500, type(uint256).max][index];
                bytes memory changed = bytes.concat(signature);
                assembly {
                    mstore(add(add(changed, 0x20), mul(word, 0x20)), wrong)
                }
                assert(!_isValid(wallet, HASH, changed));
            }
        }
    }

    function testFuzz_whatIsCutOrChangedIsFalse(uint16 length, uint16 offset, uint8 flipped) public view {
        bytes memory signature = _assert(PASSKEY, _wrapped(wallet, HASH));
        // Padding after the client data says nothing.
        uint256 meaning = signature.length - 32;
        bytes memory cut = bytes.concat(signature);
        uint256 shorter = length % meaning;
        assembly {
            mstore(cut, shorter)
        }
        assert(!_isValid(wallet, HASH, cut));
        if (flipped == 0) return;
        uint256 position = offset % 128; // the key, r and s
        signature[position] ^= bytes1(flipped);
        assert(!_isValid(wallet, HASH, signature));
    }

    /// A login is no batch, and what the account asks for is no login.
    function test_theKindsOfWhatIsSignedDoNotMix() public {
        Batch memory b = _call(address(usdc), abi.encodeCall(usdc.transfer, (stranger, 1)));
        bytes32 digest = _ownDigest(wallet, b);
        bytes memory asLogin = _assert(PASSKEY, _wrapped(wallet, digest));
        vm.expectRevert(PasskeyWallet.InvalidSignature.selector);
        wallet.executeWithSig(b, asLogin);
        assert(!_isValid(wallet, digest, _assert(PASSKEY, digest)));
    }

    /// An assertion of Chromium's virtual authenticator, for the wallet at this address on Base.
    function test_verifiesWhatABrowserMade() public {
        bytes32 x = 0x0d4f5b945b84f46a943dbece3d7b4e35bc532802977efe7cc9d35ce10c4fb08a;
        bytes32 y = 0xeb1bc82cbf70e7e023890a26285267fe549763c0f969481e059d4fb55d5eea23;
        string memory clientData =
            '{"type":"webauthn.get","challenge":"Aadc7kjR_8aiXV9jhLlvLSL7x0aCXxBemjNGtrwQLn0","origin":"http://localhost:34643","crossOrigin":false}';
        bytes memory signature = abi.encodePacked(
            x,
            y,
            abi.encode(
                bytes32(0xcaf7772f240c7afeaa4f887b6f5a4879b96b1f6bc04dcaed5a54f8ca4455cae0),
                bytes32(0x267a90aacbbd8b24b8902d98b2dd36de5c3f0b7ed1f20ee513fd552da84e21e6),
                uint256(23),
                uint256(1),
                hex"49960de5880e8c687434170f6476605b8fe4aeb9a28632c7995cf3ba831d97631d00000002",
                clientData
            )
        );
        PasskeyWallet atFixed = PasskeyWallet(payable(address(0x1111111111111111111111111111111111111111)));
        vm.etch(address(atFixed), passkeys.createWallet(x, y).code);
        vm.chainId(8453);
        assert(_isValid(atFixed, HASH, signature));
        vm.chainId(8454);
        assert(!_isValid(atFixed, HASH, signature));
    }
}

contract PasskeyAccountTest is PasskeyFixture {
    TradingAccount private owned;
    uint256 private constant FRESH = 0x9A57;
    address private freshWallet;

    function setUp() public override {
        super.setUp();
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        freshWallet = passkeys.addressOf(x, y);
        owned = TradingAccount(payable(factory.addressOf(freshWallet)));
        _fund(address(owned), 100e6);
    }

    function _signed(bytes32 digest) private view returns (bytes memory) {
        return _assert(FRESH, _wrapped(PasskeyWallet(payable(freshWallet)), digest));
    }

    function _createAndCall(bytes memory data) private {
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        vm.prank(stranger);
        passkeys.createAndCall(x, y, address(factory), data);
    }

    function test_oneTransactionMakesWalletAccountAndGrant() public {
        Grant memory g = _defaultGrant(owned);
        bytes memory signature = _signed(_grantDigest(address(owned), g));
        bytes memory data = abi.encodeCall(factory.createAndGrant, (freshWallet, g, signature));
        _createAndCall(data);
        _createAndCall(data); // whoever was first, it succeeds
        assert(owned.owner() == freshWallet && freshWallet.code.length > 0);
        Order memory o = _buy(address(owned), 1e6, 1e6);
        assert(_requestFor(o));
        _fill(o, 1e6, 1e6);
        _eq(token.balanceOf(address(owned), yes), 1e6, "tokens");
    }

    function test_aRefusedCallKeepsItsReason() public {
        Grant memory g = _defaultGrant(owned);
        bytes memory signature = _signed(_grantDigest(address(account), g));
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        bytes memory data = abi.encodeCall(factory.createAndGrant, (freshWallet, g, signature));
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        passkeys.createAndCall(x, y, address(factory), data);
        assert(freshWallet.code.length == 0);
    }

    function test_theAccountsBatchesAndWithdrawalsBySignature() public {
        Batch memory b = _call(address(usdc), abi.encodeCall(usdc.transfer, (stranger, 1e6)));
        b.nonce = 0;
        bytes memory signature = _signed(_batchDigest(address(owned), b));
        _createAndCall(abi.encodeCall(factory.createAndExecute, (freshWallet, b, signature)));
        _eq(_usdc(stranger), 1e6, "batch");
        Withdrawal memory w =
            Withdrawal(address(usdc), 0, 2e6, stranger, bytes32("ref"), vm.getBlockTimestamp() + 60);
        owned.withdrawWithSig(w, _signed(_withdrawalDigest(address(owned), w)));
        _eq(_usdc(stranger), 3e6, "withdrawal");
    }

    function test_theAddressCommitsToTheKey() public {
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        vm.prank(stranger);
        assert(passkeys.createWallet(x, y) == freshWallet);
        assert(passkeys.createWallet(x, y) == freshWallet);
        (bytes32 storedX, bytes32 storedY) = PasskeyWallet(payable(freshWallet)).firstKey();
        assert(storedX == x && storedY == y);
        PasskeyWallet implementation = PasskeyWallet(payable(passkeys.implementation()));
        // What it reads as its key is its own code, which no one signs for.
        bytes32 digest = _wrapped(implementation, bytes32(0));
        assert(!_isValid(implementation, bytes32(0), _assert(FRESH, digest)));
    }

    /// An address can be occupied by nothing but the key's own wallet, whoever deploys it first.
    function test_aDeploymentByAStrangerHarmsNobody() public {
        _fund(freshWallet, 1e6);
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        vm.prank(stranger);
        passkeys.createWallet(x, y);
        PasskeyWallet squatted = PasskeyWallet(payable(freshWallet));
        bytes32[] memory ids = squatted.owners();
        assert(ids.length == 1 && ids[0] == _idOf(x, y));
        assert(!squatted.isOwnerAddress(stranger));
        Grant memory g = _defaultGrant(owned);
        bytes memory signature = _signed(_grantDigest(address(owned), g));
        _createAndCall(abi.encodeCall(factory.createAndGrant, (freshWallet, g, signature)));
        assert(owned.owner() == freshWallet);
        _eq(_usdc(freshWallet), 1e6, "what was there before");
        // Another factory makes another address.
        PasskeyWalletFactory foreign = new PasskeyWalletFactory();
        assert(foreign.addressOf(x, y) != freshWallet);
    }

    function test_pointsOffTheCurveAreRefused() public {
        (bytes32 x, bytes32 y) = _keyOf(FRESH);
        bytes32 off = bytes32(uint256(y) ^ 1);
        vm.expectRevert(PasskeyWalletFactory.InvalidKey.selector);
        passkeys.createWallet(x, off);
        vm.expectRevert(PasskeyWalletFactory.InvalidKey.selector);
        passkeys.createAndCall(x, off, address(factory), "");
        Batch memory b = _call(address(wallet), abi.encodeCall(wallet.addKey, (x, off)));
        bytes memory signature = _assert(PASSKEY, _ownDigest(wallet, b));
        vm.expectRevert(PasskeyWallet.InvalidOwner.selector);
        wallet.executeWithSig(b, signature);
    }
}

contract PasskeyOwnersTest is PasskeyFixture {
    bytes32 private constant HASH = keccak256("hash");

    function _addKey(uint256 by, uint256 added) private {
        (bytes32 x, bytes32 y) = _keyOf(added);
        _execute(by, address(wallet), abi.encodeCall(wallet.addKey, (x, y)));
    }

    function _removeKey(uint256 by, uint256 removed) private {
        (bytes32 x, bytes32 y) = _keyOf(removed);
        _execute(by, address(wallet), abi.encodeCall(wallet.removeOwner, (_idOf(x, y))));
    }

    function _isOwner(uint256 key) private view returns (bool) {
        (bytes32 x, bytes32 y) = _keyOf(key);
        return wallet.isOwnerKey(x, y);
    }

    function _signs(uint256 key) private view returns (bool) {
        return _isValid(wallet, HASH, _assert(key, _wrapped(wallet, HASH)));
    }

    function _fails(bytes4 selector, bytes memory data) private {
        Batch memory b = _call(address(wallet), data);
        bytes memory signature = _assert(_isOwner(PASSKEY) ? PASSKEY : SECOND, _ownDigest(wallet, b));
        vm.expectRevert(selector);
        wallet.executeWithSig(b, signature);
    }

    function test_aSecondPasskeyReplacesTheFirst() public {
        _addKey(PASSKEY, SECOND);
        assert(_signs(SECOND) && _signs(PASSKEY));
        _removeKey(SECOND, PASSKEY);
        assert(_signs(SECOND) && !_signs(PASSKEY) && !_isOwner(PASSKEY));
        _addKey(SECOND, PASSKEY);
        assert(_signs(PASSKEY));
        _removeKey(PASSKEY, SECOND);
        assert(!_signs(SECOND));
    }

    function test_theLastOwnerCannotGo() public {
        _fails(PasskeyWallet.LastOwner.selector, abi.encodeCall(wallet.removeOwner, (_idOf(qx, qy))));
        _addKey(PASSKEY, SECOND);
        _removeKey(PASSKEY, PASSKEY);
        (bytes32 x, bytes32 y) = _keyOf(SECOND);
        _fails(PasskeyWallet.LastOwner.selector, abi.encodeCall(wallet.removeOwner, (_idOf(x, y))));
        _execute(SECOND, address(wallet), abi.encodeCall(wallet.addAddress, (owner)));
        _removeKey(SECOND, SECOND);
        vm.prank(address(wallet));
        vm.expectRevert(PasskeyWallet.LastOwner.selector);
        wallet.removeOwner(_idOf(owner));
    }

    function test_allOwnersAreListed() public {
        (bytes32 x, bytes32 y) = _keyOf(SECOND);
        bytes32[] memory ids = wallet.owners();
        assert(ids.length == 1 && ids[0] == _idOf(qx, qy));
        _addKey(PASSKEY, SECOND);
        _execute(PASSKEY, address(wallet), abi.encodeCall(wallet.addAddress, (owner)));
        ids = wallet.owners();
        assert(ids.length == 3 && ids[0] == _idOf(qx, qy) && ids[1] == _idOf(x, y) && ids[2] == _idOf(owner));
        _removeKey(SECOND, PASSKEY);
        ids = wallet.owners();
        assert(ids.length == 2 && ids[0] == _idOf(x, y) && ids[1] == _idOf(owner));
        _addKey(SECOND, PASSKEY);
        _removeKey(SECOND, SECOND);
        ids = wallet.owners();
        assert(ids.length == 2 && ids[0] == _idOf(qx, qy) && ids[1] == _idOf(owner));
    }

    function test_onlyTheWalletChangesItsOwners() public {
        bytes4 onlySelf = PasskeyWallet.OnlySelf.selector;
        (bytes32 x, bytes32 y) = _keyOf(SECOND);
        vm.expectRevert(onlySelf);
        wallet.addKey(x, y);
        vm.expectRevert(onlySelf);
        wallet.addAddress(stranger);
        vm.expectRevert(onlySelf);
        wallet.removeOwner(_idOf(qx, qy));
        vm.expectRevert(onlySelf);
        wallet.removeOwner(_idOf(stranger));
    }

    function test_ownersThatWouldNotWorkAreRefused() public {
        bytes4 invalid = PasskeyWallet.InvalidOwner.selector;
        _fails(invalid, abi.encodeCall(wallet.addKey, (qx, qy)));
        _fails(invalid, abi.encodeCall(wallet.addAddress, (address(0))));
        _fails(invalid, abi.encodeCall(wallet.addAddress, (address(wallet))));
        _fails(invalid, abi.encodeCall(wallet.removeOwner, (_idOf(stranger))));
        _addKey(PASSKEY, SECOND);
        (bytes32 x, bytes32 y) = _keyOf(SECOND);
        _fails(invalid, abi.encodeCall(wallet.addKey, (x, y)));
    }

    function test_anAddressOwnsToo() public {
        bytes memory signature =
            abi.encodePacked(bytes32(uint256(uint160(owner))), _sign(OWNER_KEY, _wrapped(wallet, HASH)));
        assert(!_isValid(wallet, HASH, signature));
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, owner));
        wallet.execute(BATCH, "");

        _execute(PASSKEY, address(wallet), abi.encodeCall(wallet.addAddress, (owner)));
        assert(wallet.isOwnerAddress(owner) && _isValid(wallet, HASH, signature));
        _fund(address(wallet), 1e6);
        Call[] memory calls = new Call[](1);
        calls[0] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (stranger, 1e6)));
        vm.prank(owner);
        wallet.execute(BATCH, abi.encode(calls));
        _eq(_usdc(stranger), 1e6, "moved");

        ContractOwner contractOwner = new ContractOwner();
        _execute(PASSKEY, address(wallet), abi.encodeCall(wallet.addAddress, (address(contractOwner))));
        bytes memory head = abi.encodePacked(bytes32(uint256(uint160(address(contractOwner)))), bytes32(0));
        assert(!_isValid(wallet, HASH, head));
        contractOwner.approve(_wrapped(wallet, HASH));
        assert(_isValid(wallet, HASH, head));
        _execute(PASSKEY, address(wallet), abi.encodeCall(wallet.removeOwner, (_idOf(owner))));
        assert(!wallet.isOwnerAddress(owner) && !_isValid(wallet, HASH, signature));
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(Account.AccountUnauthorized.selector, stranger));
        wallet.execute(BATCH, abi.encode(calls));
    }

    /// Of two messages in one block, the order of the transactions decides.
    function test_aRemovedKeySignsNothingMoreInTheSameBlock() public {
        _addKey(PASSKEY, SECOND);
        _execute(SECOND, address(usdc), abi.encodeCall(usdc.transfer, (stranger, 0)));
        Batch memory late = _call(address(usdc), abi.encodeCall(usdc.transfer, (stranger, 0)));
        late.nonce += 1;
        bytes memory signature = _assert(SECOND, _ownDigest(wallet, late));
        _removeKey(PASSKEY, SECOND);
        vm.expectRevert(PasskeyWallet.InvalidSignature.selector);
        wallet.executeWithSig(late, signature);
    }
}

contract PasskeyBatchTest is PasskeyFixture {
    function _transfer(uint256 amount) private view returns (Batch memory) {
        return _call(address(usdc), abi.encodeCall(usdc.transfer, (stranger, amount)));
    }

    function setUp() public override {
        super.setUp();
        _fund(address(wallet), 10e6);
    }

    function test_worksOnceAndForThisWalletOnly() public {
        Batch memory b = _transfer(1e6);
        bytes memory signature = _assert(PASSKEY, _ownDigest(wallet, b));
        vm.expectRevert(PasskeyWallet.InvalidSignature.selector);
        otherWallet.executeWithSig(b, signature);
        vm.recordLogs();
        vm.prank(stranger);
        wallet.executeWithSig(b, signature);
        // By this the service finds what anyone has sent.
        Vm.Log memory executed = vm.getRecordedLogs()[0];
        assert(executed.emitter == address(wallet) && executed.topics[1] == _ownDigest(wallet, b));
        assert(executed.topics[0] == PasskeyWallet.BatchExecuted.selector);
        _eq(_usdc(stranger), 1e6, "moved");
        _eq(wallet.batchNonce(), 1, "nonce");
        vm.expectRevert(abi.encodeWithSelector(PasskeyWallet.BadNonce.selector, 1));
        wallet.executeWithSig(b, signature);
    }

    function test_isBoundToEverything() public {
        Batch memory b = _transfer(1e6);
        bytes memory signature = _assert(PASSKEY, _ownDigest(wallet, b));
        bytes4 invalid = PasskeyWallet.InvalidSignature.selector;
        b.calls[0].to = address(token);
        vm.expectRevert(invalid);
        wallet.executeWithSig(b, signature);
        b = _transfer(2e6);
        vm.expectRevert(invalid);
        wallet.executeWithSig(b, signature);
        b = _transfer(1e6);
        b.calls[0].value = 1;
        vm.expectRevert(invalid);
        wallet.executeWithSig(b, signature);
        b = _transfer(1e6);
        b.gas = 1;
        vm.expectRevert(invalid);
        wallet.executeWithSig(b, signature);
        b = _transfer(1e6);
        b.deadline += 1;
        vm.expectRevert(invalid);
        wallet.executeWithSig(b, signature);
        b = _transfer(1e6);
        wallet.executeWithSig(b, signature);
    }

    function test_expiresAndKeepsTheNonceOfWhatFails() public {
        Batch memory b = _transfer(11e6);
        bytes memory signature = _assert(PASSKEY, _ownDigest(wallet, b));
        vm.expectRevert(); // the token's reason
        wallet.executeWithSig(b, signature);
        _eq(wallet.batchNonce(), 0, "nonce");
        b = _transfer(1e6);
        signature = _assert(PASSKEY, _ownDigest(wallet, b));
        vm.warp(b.deadline + 1);
        vm.expectRevert(PasskeyWallet.SignatureExpired.selector);
        wallet.executeWithSig(b, signature);
        vm.warp(b.deadline);
        wallet.executeWithSig(b, signature);
    }

    function test_aSenderCannotStarveTheCalls() public {
        Batch memory b = _transfer(1e6);
        b.gas = 500_000;
        bytes memory signature = _assert(PASSKEY, _ownDigest(wallet, b));
        vm.expectRevert(SignedBatch.InsufficientGas.selector);
        wallet.executeWithSig{gas: 450_000}(b, signature);
        wallet.executeWithSig{gas: 900_000}(b, signature);
    }

    function test_holdsAndPaysEtherAndTokens() public {
        vm.deal(stranger, 1 ether);
        vm.prank(stranger);
        (bool ok,) = address(wallet).call{value: 1 ether}("");
        assert(ok);
        Batch memory b = _call(other, "");
        b.calls[0].value = 0.4 ether;
        wallet.executeWithSig(b, _assert(PASSKEY, _ownDigest(wallet, b)));
        _eq(other.balance, 0.4 ether, "ether");
        _acquire(address(account), MARKET, 0, 1e6);
        vm.prank(address(account));
        token.safeTransferFrom(address(account), address(wallet), yes, 1e6, "");
        _eq(token.balanceOf(address(wallet), yes), 1e6, "tokens");
    }
}
