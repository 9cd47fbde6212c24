// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";

import {Order} from "../src/SwapTypes.sol";
import {Grant, TradingAccount} from "../src/TradingAccount.sol";
import {Fixture} from "./Fixture.sol";

uint8 constant P256_KEY = 1;
uint8 constant SECP256K1_KEY = 2;

abstract contract SessionFixture is Fixture {
    uint256 internal constant SESSION_KEY = 0x5E551011;
    uint256 internal constant OTHER_SESSION_KEY = 0x5E551012;

    function _keyOf(uint8 kind, uint256 privateKey) internal pure returns (bytes32) {
        if (kind == SECP256K1_KEY) return bytes32(uint256(uint160(vm.addr(privateKey))));
        (uint256 x, uint256 y) = vm.publicKeyP256(privateKey);
        return keccak256(abi.encode(x, y));
    }

    function _keyedGrant(TradingAccount a, uint8 kind, uint256 privateKey) internal view returns (Grant memory g) {
        g = _defaultGrant(a);
        g.withdrawAnywhere = false;
        (g.keyKind, g.key) = (kind, _keyOf(kind, privateKey));
    }

    function _grantKey(uint8 kind, uint256 privateKey) internal {
        _grant(account, OWNER_KEY, _keyedGrant(account, kind, privateKey));
    }

    function _signOrder(uint8 kind, uint256 privateKey, Order memory o) internal view returns (bytes memory) {
        return _signDigest(kind, privateKey, _orderDigest(o));
    }

    function _signDigest(uint8 kind, uint256 privateKey, bytes32 digest) internal pure returns (bytes memory) {
        if (kind == SECP256K1_KEY) return _sign(privateKey, digest);
        (uint256 x, uint256 y) = vm.publicKeyP256(privateKey);
        (bytes32 r, bytes32 s) = vm.signP256(privateKey, sha256(abi.encode(digest)));
        if (uint256(s) > P256.N / 2) s = bytes32(P256.N - uint256(s));
        return abi.encode(r, s, x, y);
    }

    /// Refused by the account, for want of a signature.
    function _unsignedRefused(Order memory o, bytes memory signature) internal {
        vm.prank(address(vault));
        vm.expectRevert(TradingAccount.OrderNotSigned.selector);
        account.operatorSwap(o, signature);
        assert(!_requestSigned(o, signature));
        _eq(_status(o), 0, "nothing was opened");
    }
}
