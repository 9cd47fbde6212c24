import { SPARK_HEIGHT, SPARK_WIDTH, type Spark } from '#lib/market/sparkline.ts';

/**
 * The last day of a price, drawn by the server and left alone by the browser. The price and its
 * change stand beside it in words, so those who do not see it miss nothing.
 */
export function Sparkline({ spark }: { spark: Spark | undefined }) {
  if (!spark) return null;
  return (
    <svg
      aria-hidden="true"
      width={SPARK_WIDTH}
      height={SPARK_HEIGHT}
      data-testid="sparkline"
      className="spark"
    >
      <path d={spark.path} />
      <path d={`M${SPARK_WIDTH - 2} ${spark.endY}h0`} />
    </svg>
  );
}
