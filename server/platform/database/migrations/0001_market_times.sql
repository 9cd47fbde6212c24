ALTER TABLE "markets" ADD COLUMN "expected_end_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
UPDATE "markets" SET "expected_end_at" = least("expiration_at", "close_at");--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "can_close_early" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "early_close_condition" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "proposed_result" text;--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "strike" double precision;--> statement-breakpoint
ALTER TABLE "markets" ADD COLUMN "strike_group" text;--> statement-breakpoint
ALTER TABLE "series" ADD COLUMN "settlement_sources" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "series" ADD COLUMN "contract_terms_url" text;