DROP INDEX "markets_yes_token";--> statement-breakpoint
DROP INDEX "markets_no_token";--> statement-breakpoint
CREATE INDEX "markets_yes_token" ON "markets" USING hash ("yes_token_id");--> statement-breakpoint
CREATE INDEX "markets_no_token" ON "markets" USING hash ("no_token_id");