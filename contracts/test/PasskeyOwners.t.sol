// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";

import {PasskeyWallet} from "../src/PasskeyWallet.sol";
import {Batch, Call} from "../src/SignedBatch.sol";
import {BATCH, ContractOwner} from "./ContractOwner.sol";
import {PasskeyFixture} from "./PasskeyFixture.sol";

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
