CREATE TABLE "market_changes" (
	"sequence" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "market_changes_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tickers" text[],
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "price_points" (
	"ticker" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"yes_bid_micros" bigint,
	"yes_ask_micros" bigint,
	"last_price_micros" bigint,
	"volume_contract_micros" bigint NOT NULL,
	CONSTRAINT "price_points_ticker_at_pk" PRIMARY KEY("ticker","at")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "market_changes_age" ON "market_changes" USING btree ("at");--> statement-breakpoint
CREATE TABLE "price_points_rest" PARTITION OF "price_points" DEFAULT;
