// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BatchingWallet} from "../src/BatchingWallet.sol";
import {Order} from "../src/SwapTypes.sol";
import {Batch, Call, SignedBatch} from "../src/SignedBatch.sol";
import {Grant, TradingAccount} from "../src/TradingAccount.sol";
import {TradingAccountFactory} from "../src/TradingAccountFactory.sol";
import {ContractOwner} from "./ContractOwner.sol";
import {Fixture} from "./Fixture.sol";
import {Vm} from "./Vm.sol";

/// Reverts with nothing, and tells what a call reached it with.
contract Target {
    uint256 public gasSeen;

    function measure() external {
        gasSeen = gasleft();
    }

    function fail() external pure {
        revert();
    }

    receive() external payable {}
}

contract AccountBatchTest is Fixture {
    function _batch(TradingAccount a, Call memory first) private view returns (Batch memory b) {
        b.calls = new Call[](1);
        b.calls[0] = first;
        b.nonce = address(a).code.length == 0 ? 0 : a.batchNonce();
        b.deadline = vm.getBlockTimestamp() + 60;
    }

    function _transfer(uint256 amount) private view returns (Call memory) {
        return Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (stranger, amount)));
    }

    function _revoke() private view returns (Call memory) {
        return Call(address(account), 0, abi.encodeCall(account.revoke, ()));
    }

    function _signed(Batch memory b) private view returns (bytes memory) {
        return _sign(OWNER_KEY, _batchDigest(address(account), b));
    }

    function _refused(TradingAccount a, Batch memory b, bytes memory signature) private {
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        a.executeWithSig(b, signature);
    }

    function test_anyoneSendsWhatTheOwnerSigned() public {
        Batch memory b = _batch(account, _transfer(3e6));
        bytes memory signature = _signed(b);
        vm.recordLogs();
        vm.prank(stranger);
        account.executeWithSig(b, signature);
        _eq(_usdc(stranger), 3e6, "usdc");
        _eq(account.batchNonce(), 1, "nonce");
        Vm.Log memory log = vm.getRecordedLogs()[0];
        assert(log.topics[0] == TradingAccount.BatchExecuted.selector && log.emitter == address(account));
        assert(log.topics[1] == _batchDigest(address(account), b));
        assert(keccak256(log.data) == keccak256(abi.encode(uint64(0))));
    }

    function test_opensAnOrder() public {
        Order memory o = _buy(address(account), 1e6, 1e6);
        Batch memory b = _batch(account, Call(address(usdc), 0, abi.encodeCall(usdc.approve, (address(vault), 1e6))));
        Call memory approval = b.calls[0];
        b.calls = new Call[](2);
        b.calls[0] = approval;
        b.calls[1] = Call(address(vault), 0, abi.encodeCall(vault.request, (o)));
        account.executeWithSig(b, _signed(b));
        _eq(_status(o), 1, "open");
    }

    function test_aBatchWorksOnce() public {
        Batch memory b = _batch(account, _transfer(1e6));
        bytes memory signature = _signed(b);
        account.executeWithSig(b, signature);
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 1));
        account.executeWithSig(b, signature);
        b.nonce = 1;
        _refused(account, b, signature);
        b.nonce = 2; // not yet due
        bytes memory early = _signed(b);
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 1));
        account.executeWithSig(b, early);
    }

    function test_ofTwoWithOneNonceTheFirstWins() public {
        Batch memory one = _batch(account, _transfer(1e6));
        Batch memory none = _batch(account, _transfer(1e6));
        none.calls = new Call[](0);
        account.executeWithSig(none, _signed(none)); // ends what was signed before
        bytes memory signature = _signed(one);
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 1));
        account.executeWithSig(one, signature);
        _eq(_usdc(stranger), 0, "nothing moved");
    }

    function test_isBoundToEverything() public {
        Batch memory b = _batch(account, _transfer(1e6));
        vm.deal(address(account), 1 ether);
        bytes memory signature = _signed(b);
        bytes memory data = b.calls[0].data;
        b.calls[0].to = address(token);
        _refused(account, b, signature);
        b.calls[0].to = address(usdc);
        b.calls[0].value = 1;
        _refused(account, b, signature);
        b.calls[0].value = 0;
        b.calls[0].data = abi.encodeCall(usdc.transfer, (stranger, 2e6));
        _refused(account, b, signature);
        b.calls[0].data = data;
        b.gas = 1;
        _refused(account, b, signature);
        b.gas = 0;
        b.deadline += 1;
        _refused(account, b, signature);
        b.deadline -= 1;
        Call[] memory calls = b.calls;
        b.calls = new Call[](2);
        (b.calls[0], b.calls[1]) = (calls[0], calls[0]);
        _refused(account, b, signature);
        b.calls = new Call[](0);
        _refused(account, b, signature);
        b.calls = calls;
        _refused(account, b, _sign(OTHER_KEY, _batchDigest(address(account), b)));
        _refused(account, b, "");
        account.executeWithSig(b, signature);
    }

    function test_replayAcrossAccountsAndChains() public {
        Batch memory b = _batch(account, _transfer(1e6));
        bytes memory signature = _signed(b);
        TradingAccountFactory second = new TradingAccountFactory(vault);
        TradingAccount twin = TradingAccount(payable(second.createAccount(owner)));
        _fund(address(twin), 1e6);
        _refused(twin, b, signature);
        _refused(otherAccount, b, signature);
        uint256 chain = block.chainid;
        vm.chainId(chain + 1);
        _refused(account, b, signature);
        vm.chainId(chain);
        account.executeWithSig(b, signature);
    }

    function test_malleableBatchSignatureIsRefused() public {
        Batch memory b = _batch(account, _transfer(1e6));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OWNER_KEY, _batchDigest(address(account), b));
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        _refused(account, b, abi.encodePacked(r, order - uint256(s), v == 27 ? 28 : 27));
    }

    function test_expires() public {
        Batch memory b = _batch(account, _transfer(1e6));
        bytes memory signature = _signed(b);
        vm.warp(b.deadline + 1);
        vm.expectRevert(TradingAccount.SignatureExpired.selector);
        account.executeWithSig(b, signature);
        vm.warp(b.deadline);
        account.executeWithSig(b, signature);
    }

    function test_aFailingCallFailsAllAndKeepsTheNonce() public {
        Target target = new Target();
        Batch memory b = _batch(account, _transfer(1e6));
        Call memory first = b.calls[0];
        b.calls = new Call[](2);
        (b.calls[0], b.calls[1]) = (first, Call(address(target), 0, abi.encodeCall(target.fail, ())));
        bytes memory signature = _signed(b);
        vm.expectRevert();
        account.executeWithSig(b, signature);
        _eq(_usdc(stranger), 0, "nothing moved");
        _eq(account.batchNonce(), 0, "nonce");
        b.calls[1] = Call(address(usdc), 0, abi.encodeCall(usdc.transfer, (stranger, 1_000_000e6)));
        signature = _signed(b);
        vm.expectRevert(); // with the reason of the token
        account.executeWithSig(b, signature);
    }

    /// The sender chooses the gas: with less than the owner asked for nothing happens.
    function test_aSenderCannotStarveTheCalls() public {
        Target target = new Target();
        Batch memory b = _batch(account, Call(address(target), 0, abi.encodeCall(target.measure, ())));
        b.gas = 500_000;
        bytes memory signature = _signed(b);
        vm.expectRevert(SignedBatch.InsufficientGas.selector);
        account.executeWithSig{gas: 400_000}(b, signature);
        _eq(account.batchNonce(), 0, "nonce");
        account.executeWithSig{gas: 600_000}(b, signature);
        assert(target.gasSeen() > 480_000);
    }

    function test_revokesInOneStep() public {
        _grantDefault();
        Grant memory pending = _defaultGrant(account);
        bytes memory pendingSignature = _sign(OWNER_KEY, _grantDigest(address(account), pending));
        Batch memory b = _batch(account, _revoke());
        bytes memory signature = _signed(b);
        vm.prank(stranger);
        account.executeWithSig(b, signature);
        assert(account.grant().operator == address(0));
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 2));
        account.setGrant(pending, pendingSignature);
        assert(!_requestFor(_buy(address(account), 1e6, 1e6)));
    }

    function test_keepsTheGrantOfASingleOperator() public {
        Grant memory g = _defaultGrant(account);
        g.operator = stranger;
        _grant(account, OWNER_KEY, g);
        Batch memory b = _batch(account, _transfer(1e6));
        account.executeWithSig(b, _signed(b));
        assert(account.grant().operator == stranger);
        g.nonce = 1;
        g.operator = other;
        _grant(account, OWNER_KEY, g);
        assert(account.grant().operator == other);
        _eq(account.batchNonce(), 1, "the grant keeps the nonce");
    }

    function test_paysEtherOfTheAccount() public {
        Target target = new Target();
        vm.deal(address(account), 1 ether);
        Batch memory b = _batch(account, Call(address(target), 0.4 ether, ""));
        account.executeWithSig(b, _signed(b));
        _eq(address(target).balance, 0.4 ether, "ether");
    }

    function test_contractAndDelegatedOwnersSign() public {
        ContractOwner wallet = new ContractOwner();
        TradingAccount a = TradingAccount(payable(factory.createAccount(address(wallet))));
        _fund(address(a), 1e6);
        Batch memory b = _batch(a, _transfer(1e6));
        _refused(a, b, "");
        wallet.approve(_batchDigest(address(a), b));
        a.executeWithSig(b, "");
        vm.etch(owner, address(new BatchingWallet()).code);
        b = _batch(account, _transfer(1e6));
        account.executeWithSig(b, _signed(b));
        _eq(_usdc(stranger), 2e6, "both");
    }

    function test_deploysAndExecutesInOne() public {
        uint256 key = 0xCAFE;
        address somebody = vm.addr(key);
        TradingAccount a = TradingAccount(payable(factory.addressOf(somebody)));
        _fund(address(a), 5e6);
        Batch memory b = _batch(a, _transfer(2e6));
        bytes memory signature = _sign(key, _batchDigest(address(a), b));
        vm.expectRevert(TradingAccount.InvalidSignature.selector);
        factory.createAndExecute(stranger, b, signature);
        vm.prank(stranger);
        assert(factory.createAndExecute(somebody, b, signature) == address(a));
        _eq(_usdc(address(a)), 3e6, "left");
        vm.expectRevert(abi.encodeWithSelector(TradingAccount.BadNonce.selector, 1));
        factory.createAndExecute(somebody, b, signature);
        b = _batch(a, _transfer(1e6));
        factory.createAndExecute(somebody, b, _sign(key, _batchDigest(address(a), b)));
        _eq(_usdc(stranger), 3e6, "of a deployed account too");
    }

    function testFuzz_whatIsSignedIsWhatHappens(uint64 amount, uint64 minutesLeft, uint32 gasAsked) public {
        amount = uint64(amount % 10_000e6);
        Batch memory b = _batch(account, _transfer(amount));
        b.deadline = vm.getBlockTimestamp() + minutesLeft;
        b.gas = gasAsked % 1_000_000;
        account.executeWithSig(b, _signed(b));
        _eq(_usdc(stranger), amount, "moved");
        _eq(_usdc(address(account)), 10_000e6 - amount, "left");
    }
}
