// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Base's predeploy for the fee of a transaction's bytes on Ethereum, for local chains: a
/// fixed price per byte, without compression. Not part of a deployment.
contract TestGasPriceOracle {
    /// Of one gas of calldata on Ethereum, as Base's scalars pass it on.
    uint256 private constant WEI_PER_GAS = 0.005 gwei;
    /// The signature, which the unsigned transaction lacks.
    uint256 private constant SIGNATURE_BYTES = 68;

    /// The fee of a serialized transaction without its signature, in wei.
    function getL1Fee(bytes calldata unsigned) external pure returns (uint256) {
        uint256 used = SIGNATURE_BYTES * 16;
        for (uint256 i = 0; i < unsigned.length; ++i) {
            used += unsigned[i] == 0 ? 4 : 16;
        }
        return used * WEI_PER_GAS;
    }
}
