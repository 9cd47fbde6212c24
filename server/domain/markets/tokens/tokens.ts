import type { TokenMetadata } from '#lib/api/schemas/token.ts';
import { type OutcomeSide, outcomeTokenId, tokenIdHex } from '#lib/outcomeToken.ts';
import type { Database } from '#server/platform/database/client.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { getMarket } from '../catalogue/catalogue.ts';
import { findOutcomeByTokenId } from '../catalogue/outcomes.ts';
import type { MarketRecord } from '../catalogue/types.ts';
import { drawTokenImage } from './tokenImage.ts';

export type TokenDeps = { database: Database; config: { publicBaseUrl: string } };

const DECIMALS = 6;

function parseTokenId(text: string): bigint {
  if (/^0x/i.test(text)) return BigInt(text);
  // 64 digits are how ERC-1155 puts an id into a URI: hex without a prefix.
  return text.length === 64 ? BigInt(`0x${text}`) : BigInt(text);
}

const sideLabel = (market: MarketRecord, side: OutcomeSide) =>
  (side === 'yes' ? market.yesSubTitle : market.noSubTitle) || (side === 'yes' ? 'Yes' : 'No');

function metadataOf(deps: TokenDeps, market: MarketRecord, side: OutcomeSide): TokenMetadata {
  const tokenId = tokenIdHex(outcomeTokenId(market.ticker, side));
  const response = side === 'yes' ? 'Yes' : 'No';
  return {
    name: `${response}: ${market.title}`,
    description: `Pays 1 USDC if the market ${market.ticker} resolves ${response}. ${market.rulesPrimary}`,
    image: `${deps.config.publicBaseUrl}/v1/tokens/${tokenId}/image.svg`,
    properties: { decimals: DECIMALS, marketId: market.ticker, outcome: side, tokenId },
  };
}

async function outcomeOf(deps: TokenDeps, id: string) {
  const tokenId = parseTokenId(id);
  const outcome = tokenId < 2n ** 256n ? await findOutcomeByTokenId(deps, tokenId) : undefined;
  if (!outcome) {
    throw new ServiceError('token_not_found', 'No market has an outcome token with this ID.');
  }
  return { market: await getMarket(deps, outcome.ticker), side: outcome.side };
}

/** @throws {ServiceError} `market_not_found` */
export async function getTokenByMarket(
  deps: TokenDeps,
  ticker: string,
  side: OutcomeSide,
): Promise<TokenMetadata> {
  return metadataOf(deps, await getMarket(deps, ticker), side);
}

/** @param id decimal, 0x-hex or 64 hex digits. @throws {ServiceError} `token_not_found` */
export async function getToken(deps: TokenDeps, id: string): Promise<TokenMetadata> {
  const { market, side } = await outcomeOf(deps, id);
  return metadataOf(deps, market, side);
}

/** The token's picture as SVG. @throws {ServiceError} `token_not_found` */
export async function getTokenImage(deps: TokenDeps, id: string): Promise<string> {
  const { market, side } = await outcomeOf(deps, id);
  return drawTokenImage({
    title: market.title,
    subtitle: market.subtitle,
    side,
    sideLabel: sideLabel(market, side),
    ticker: market.ticker,
    backgroundColor: market.backgroundColorDarkMode,
  });
}
