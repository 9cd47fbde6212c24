// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PasskeyWallet} from "../src/PasskeyWallet.sol";
import {Batch} from "../src/SignedBatch.sol";
import {PasskeyFixture} from "./PasskeyFixture.sol";

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
