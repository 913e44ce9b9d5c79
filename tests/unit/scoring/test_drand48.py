"""The generator, worked by hand and by a loop in whole numbers."""

from rouge_cli.scoring.drand48 import draw_instances


def test_first_draws() -> None:
    # Seed 0: 25214903917 * 13070 + 11 = 329558794195201; less 2^48 = 281474976710656 this is
    # 48083817484545; over 2^48: 0.170828. C's drand48 after srand48(0) and srand48(1) begins
    # 0.170828, 0.749902, 0.096372, 0.870465 and 0.041630, 0.454492, 0.834817, 0.335986.
    expected = [[1708, 7499, 963, 8704], [416, 4544, 8348, 3359]]
    assert draw_instances(10_000, range(2))[:, :4].tolist() == expected
    # The same numbers times 4, cut to whole ones.
    assert draw_instances(4, range(2)).tolist() == [[0, 2, 0, 3], [0, 1, 3, 1]]


def test_one_instance_is_always_drawn() -> None:
    assert draw_instances(1, range(5)).tolist() == [[0]] * 5


def test_a_loop_in_whole_numbers() -> None:
    # 2^48 / 4096 is a power of two, so the index is the top 12 bits of the state, exactly.
    for seed in (0, 1, 999, 123_456):
        state, expected = (seed << 16) + 13070, []
        for _ in range(4096):
            state = (0x5DEECE66D * state + 0xB) & 0xFFFF_FFFF_FFFF
            expected.append(state >> 36)
        assert draw_instances(4096, range(seed, seed + 1)).tolist() == [expected]


def test_all_indices_are_instances() -> None:
    drawn = draw_instances(999, range(200))
    assert set(drawn.ravel().tolist()) == set(range(999))
