#!perl
{mark} {version}: runs rouge-cli in place of the original.
use strict;
use warnings;
no warnings 'exec';
my @start = ({start});
my $status = system {{ $start[0] }} @start, @ARGV;
if ($status == -1) {{
    print STDERR "Error: $start[0] cannot be run: $!; run rouge-cli install-shim again\n";
    exit 3;
}}
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
